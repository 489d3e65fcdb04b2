import { describe, expect, it } from 'vitest'
import { mismatches, openApiDocument, operations, type Schema, walk } from '../testing/openapi.ts'

type Found = Schema & { readonly maximum?: number; readonly format?: string; readonly const?: unknown }
const nodes = [...walk(openApiDocument)].map(({ keys, node }) => ({ at: keys.join(' '), schema: node as Found }))
const typesOf = ({ type }: Found): string[] => (typeof type === 'string' ? [type] : Array.isArray(type) ? type : [])
const placesOf = (isMeant: (schema: Found) => boolean) =>
  nodes.filter(({ schema }) => isMeant(schema)).map(({ at }) => at)
const at = (component: string, property: string) => ['components', 'schemas', component, 'properties', property]

// What generators of clients made of the others was tried by hand: docs/api.md, "Generated clients".
describe('the document, as generators of clients read it', () => {
  it('has one type for each schema, or null beside one that is no object', () => {
    expect(placesOf((schema) => typesOf(schema).filter((type) => type !== 'null').length > 1)).toEqual([])
    expect(placesOf((schema) => typesOf(schema).length > 1 && typesOf(schema).includes('object'))).toEqual([])
  })

  it.each<[component: string, property: string, valid: unknown[], invalid: unknown[]]>([
    ['User', 'two_factor_options', [null, { enabled: true, channel: 'sms' }], [{ enabled: true }, 'sms']],
    ['Announcement', 'user', [null], [{ id: 1 }, 2]],
    ['EnableTwoFactor', 'phone_number', ['0170', 170], ['1'.repeat(21), -1, 2 ** 53, null]],
    ['Activity', 'details', [null, { fields: ['email'] }], ['email']],
  ])('says what %s.%s can be', (component, property, valid, invalid) => {
    const fits = (value: unknown) => mismatches(at(component, property), value).length === 0
    expect([valid.filter(fits), invalid.filter(fits)]).toEqual([valid, []])
  })

  it('keeps what is said of a field beside its types', () => {
    const { description, anyOf } = openApiDocument.components.schemas.User?.properties?.two_factor_options ?? {}
    expect(description).toBe('Null if two-factor authentication is off.')
    expect(anyOf?.map(({ type }) => type)).toEqual(['object', 'null'])
  })

  it('gives 64 bits to integers that need more than 32', () => {
    const isWide = (schema: Found) => typesOf(schema).includes('integer') && (schema.maximum ?? 0) >= 2 ** 31
    expect(placesOf(isWide).length).toBeGreaterThan(20)
    expect(placesOf((schema) => isWide(schema) && schema.format !== 'int64')).toEqual([])
  })

  it('has no constant that is no text', () => {
    const isConstant = ({ const: only, enum: choices = [] }: Found) =>
      [only, ...choices].some((value) => value != null && typeof value !== 'string')
    expect(placesOf(isConstant)).toEqual([])
  })

  it('names every group of operations', () => {
    const { tags } = openApiDocument as unknown as { tags: { name: string }[] }
    expect(tags.map(({ name }) => name)).toEqual([...new Set(operations.flatMap((operation) => operation.tags))])
  })
})
