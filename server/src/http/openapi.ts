import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { makePortable } from './openapi-portable.ts'
import type { DescribedSchema } from './openapi-route.ts'
import { apiPrefix } from './route.ts'
import { ref } from './schemas.ts'

const description = `User accounts, roles and permissions, API keys and the audit log of one installation of Gatehouse.

Call it with \`Authorization: Bearer …\` and an API key or a login token. Bodies are JSON, or forms with the same field names. PUT is accepted wherever PATCH is. Every error answer has a \`message\` and a stable \`code\`.`

const idempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again.',
    }),
  ),
})

/** The schema of a route in the document: its body under its name, the header that every POST accepts, and its error answers. */
function shown(schema: DescribedSchema, method: RouteOptions['method']): FastifySchema {
  if (schema?.errorResponses === undefined) return schema
  const { errorResponses, body, response, ...rest } = schema
  const named = body === undefined ? {} : { body: ref(body as TSchema) }
  const headers = method === 'POST' ? { headers: idempotencyHeaders } : {}
  return { ...rest, ...named, ...headers, response: { ...(response as object), ...errorResponses } }
}

interface ShownBody {
  required: boolean
  readonly content: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>
}

interface ShownOperation {
  readonly tags?: readonly string[]
  readonly requestBody?: ShownBody
}

interface ShownDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> }
}

const operationsOf = (paths: ShownDocument['paths']) => Object.values(paths).flatMap((item) => Object.values(item))

/** The generator demands every body. One whose schema requires no member may be left out. */
function freeOptionalBodies({ paths, components }: ShownDocument): void {
  for (const { requestBody } of operationsOf(paths)) {
    const name = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1)
    if (requestBody !== undefined && name !== undefined)
      requestBody.required = (components.schemas[name]?.required ?? []).length > 0
  }
}

/** Builds the OpenAPI 3.1 document from the schemas of all routes that are added later. */
export async function collectOpenApi(app: FastifyInstance, publicUrl: string, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Gatehouse', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: publicUrl + apiPrefix }],
      security: [{ bearer: [] }],
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a login token.' } },
      },
    },
    stripBasePath: false, // otherwise it would also strip `/api` from `/api-keys`
    transform: ({ schema, url, route }) => ({ schema: shown(schema, route.method), url: url.replace(apiPrefix, '') }),
    transformObject: (result) => {
      const document = 'openapiObject' in result ? result.openapiObject : result.swaggerObject
      freeOptionalBodies(document as ShownDocument)
      const tags = new Set(operationsOf((document as ShownDocument).paths).flatMap((operation) => operation.tags ?? []))
      return makePortable({ ...document, tags: [...tags].map((name) => ({ name })) })
    },
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) },
  })
}

/** `/api/openapi.json`, and `/api/docs` to read it. Its assets are served from here. */
export async function openApiRoutes(app: FastifyInstance, publicUrl: string): Promise<void> {
  let document: string | undefined
  app.get(
    `${apiPrefix}/openapi.json`,
    { config: { access: { public: true } }, schema: { hide: true } },
    (_request, reply) => {
      document ??= JSON.stringify(app.swagger())
      return reply.type('application/json; charset=utf-8').send(document)
    },
  )
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: { public: true } }
    })
    await docs.register(swaggerUi, {
      routePrefix: `${apiPrefix}/docs`,
      indexPrefix: new URL(publicUrl).pathname,
      theme: { title: 'Gatehouse API' },
      uiConfig: { deepLinking: true, docExpansion: 'list', validatorUrl: null },
      staticCSP: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'frame-ancestors': ["'none'"],
      },
    })
  })
}
