import 'reflect-metadata' // the library below cannot be loaded without it
import { randomBytes } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { dayMs } from '../core/time.ts'

export interface Certificate {
  /** PEM. */
  readonly certificate: string
  /** PEM, PKCS#8. */
  readonly key: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A certificate that signs itself, for servers with these names and addresses: valid until tomorrow or then, and never stored. */
export async function createCertificate(
  names: readonly string[],
  addresses: readonly string[],
  notAfter = new Date(Date.now() + dayMs),
): Promise<Certificate> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(8).toString('hex'),
    name: 'CN=Gatehouse test',
    notBefore: new Date(notAfter.getTime() - 2 * dayMs),
    notAfter,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true),
      new x509.SubjectAlternativeNameExtension([
        ...names.map((value) => ({ type: 'dns' as const, value })),
        ...addresses.map((value) => ({ type: 'ip' as const, value })),
      ]),
    ],
  })
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return { certificate: certificate.toString('pem'), key }
}
