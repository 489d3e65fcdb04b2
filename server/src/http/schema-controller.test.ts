import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../config.ts'
import { createServer } from './server.ts'

const route = (app: FastifyInstance, url: string, response: object, answer: unknown = {}) =>
  app.get(url, { schema: { response: { 200: response } } }, async () => answer)

function openServer(): FastifyInstance {
  const app = createServer(parseConfig({}))
  onTestFinished(() => app.close())
  return app
}

it('a serializer is made once for all routes with the same answer, in a scope that names a schema, too', async () => {
  const app = openServer()
  const answer = Type.Object({ note: Type.String() })
  const serializers = new Map<string, unknown>()
  app.addHook('onSend', async (request, reply) => {
    serializers.set(request.url, reply.getSerializationFunction('200'))
  })
  route(app, '/outside', answer)
  await app.register(async (scope) => {
    scope.addSchema({ $id: 'Mood', type: 'string' })
    for (const url of ['/first', '/second']) route(scope, url, answer)
  })
  for (const url of ['/outside', '/first', '/second']) await app.inject(url)
  expect(serializers.get('/first')).toBeInstanceOf(Function)
  expect(new Set(serializers.values()).size).toBe(1)
})

it('a serializer knows what its schema refers to, and what that refers to in turn', async () => {
  const app = openServer()
  await app.register(async (scope) => {
    scope.addSchema({
      $id: 'Tree',
      type: 'object',
      properties: { leaf: { $ref: 'Leaf#' }, trees: { type: 'array', items: { $ref: 'Tree#' } } },
    })
    scope.addSchema({ $id: 'Leaf', type: 'object', properties: { colour: { type: 'string' } } })
    route(
      scope,
      '/tree',
      { $ref: 'Tree#' },
      { leaf: { colour: 'green', secret: 1 }, trees: [{ leaf: { colour: 'red' } }] },
    )
  })
  expect((await app.inject('/tree')).json()).toEqual({
    leaf: { colour: 'green' },
    trees: [{ leaf: { colour: 'red' } }],
  })
})

it('two schemas cannot have the same name, in different scopes either', async () => {
  const app = openServer()
  await app.register(async (scope) => void scope.addSchema({ $id: 'Mood', type: 'string' }))
  await app.register(async (scope) => {
    expect(() => scope.addSchema({ $id: 'Mood', type: 'string' })).toThrow('the schema name "Mood" is taken')
  })
  await app.ready()
})

it.each(['My.Thing', 'my-thing'])('a schema may be named %s', async (name) => {
  const app = openServer()
  app.addSchema({ $id: name, type: 'object', properties: { note: { type: 'string' } } })
  route(app, '/thing', { $ref: `${name}#` }, { note: 'a', secret: 1 })
  expect((await app.inject('/thing')).json()).toEqual({ note: 'a' })
})
