/**
 * Rewrites JSON schemas so that code generators for API clients understand them. They accept `type: ['string', 'null']`, but
 * treat an object declared that way as never null, accept no other list of types, do not see that the target of a reference
 * can be null, and read an integer without a format as 32 bits.
 */

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const without = (node: Node, names: readonly string[]): Node =>
  Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)))
const only = (node: Node, names: readonly string[]): Node =>
  Object.fromEntries(Object.entries(node).filter(([name]) => names.includes(name)))

/** The keywords that concern one type only. */
const keywords: Readonly<Record<string, readonly string[]>> = {
  integer: ['minimum', 'maximum', 'format'],
  object: ['properties', 'required', 'additionalProperties'],
  string: ['minLength', 'maxLength', 'pattern'],
}
const keywordsOf = (type: string): readonly string[] => keywords[type] ?? []

const typesOf = ({ type }: Node): readonly string[] =>
  typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : []

const isNullableObject = (node: Node): boolean => typesOf(node).length > 1 && typesOf(node).includes('object')

/** One schema for each of several types. */
function splitTypes(node: Node): Node {
  const types = typesOf(node)
  if (!isNullableObject(node) && types.filter((type) => type !== 'null').length < 2) return node
  return {
    ...without(node, ['type', ...types.flatMap(keywordsOf)]),
    anyOf: types.map((type) => ({ type, ...only(node, keywordsOf(type)) })),
  }
}

const isWide = ({ maximum }: Node): boolean => typeof maximum === 'number' && maximum >= 2 ** 31

/** The document, with every schema rewritten. */
export function makePortable<D extends object>(document: D): D {
  const { components } = document as { components?: { schemas?: Readonly<Record<string, Node>> } }
  const named = Object.entries(components?.schemas ?? {}).filter(([, schema]) => isNullableObject(schema))
  const nullable = new Set<unknown>(named.map(([name]) => `#/components/schemas/${name}`))

  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (!isNode(value)) return value
    if (nullable.has(value.$ref)) return { anyOf: [value, { type: 'null' }] }
    const node = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, rewrite(part)]))
    return splitTypes(typesOf(node).includes('integer') && isWide(node) ? { ...node, format: 'int64' } : node)
  }

  const schemas = Object.fromEntries(named.map(([name, schema]) => [name, { ...schema, type: 'object' }]))
  return rewrite({ ...document, components: { ...components, schemas: { ...components?.schemas, ...schemas } } }) as D
}
