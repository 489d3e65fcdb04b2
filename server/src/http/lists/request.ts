import { errors, validationFailed } from '../../core/errors.ts'
import { excerpt } from '../../core/excerpt.ts'
import type { ListSpec, Sort } from './spec.ts'

const defaultPerPage = 20
const maxPerPage = 100
/** Beyond any last page, but still an exact number. */
const maxPage = 10 ** 12

export interface SortTerm extends Sort {
  readonly name: string
  readonly descending: boolean
}

/** A parsed list request, checked against the list's spec. */
export interface ListRequest {
  /** The path of the list, below the public URL; a cursor belongs to it. Empty without a path. */
  readonly path: string
  readonly includes: readonly string[]
  /** Ends with the id as the tie-breaker. */
  readonly sort: readonly SortTerm[]
  readonly filters: ReadonlyMap<string, readonly (string | number)[]>
  readonly page: number
  readonly perPage: number
  readonly cursor: string | null
}

type Names = Pick<ListSpec<never>, 'sorts' | 'defaultSort' | 'filters'> & { readonly includes: object }

const split = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const allowed = (known: object): string => `Allowed: ${Object.keys(known).join(', ') || 'none'}.`

const cannotBeRead = (parameter: string, instead: string) =>
  errors.malformed_request(`The parameter ${excerpt(parameter)} cannot be read. Write ${instead}.`)

/** Names and values of a query, in order. */
type Parameters = readonly (readonly [name: string, value: string])[]

/** The values of a parameter that is a list of names: `include=role,country`, `include[]=role`, `include[0]=role`. */
function namesIn(family: 'include' | 'sort', parameters: Parameters): string[] {
  const names: string[] = []
  for (const [parameter, text] of parameters) {
    if (parameter !== family && !parameter.startsWith(`${family}[`)) continue
    if (parameter !== family && !/^\[\d*\]$/.test(parameter.slice(family.length)))
      throw cannotBeRead(parameter, `${family}=… or ${family}[]=…`)
    names.push(...split(text))
  }
  return names
}

/** The includes that a query asks for; throws `unknown_include`, which lists the known ones. */
export function parseIncludes(known: object, query: URLSearchParams | Parameters): string[] {
  const parameters = 'size' in query ? [...query] : query
  if (parameters.length === 0) return []
  const names = new Set(namesIn('include', parameters))
  for (const name of names) {
    if (!Object.hasOwn(known, name)) throw errors.unknown_include(`Unknown include ${excerpt(name)}. ${allowed(known)}`)
  }
  return [...names]
}

/** The page parameters, as in Laravel's lists and in JSON:API. */
const pageParameters = { page: ['page', 'page[number]'], perPage: ['per_page', 'page[size]'], cursor: ['cursor'] }
const allPageParameters = new Set(Object.values(pageParameters).flat())

function refuseOtherPages(parameters: Parameters): void {
  for (const [parameter] of parameters) {
    if (/^(?:page|per_page|cursor)\[/.test(parameter) && !allPageParameters.has(parameter))
      throw cannotBeRead(parameter, 'page=… or page[number]=…, per_page=… or page[size]=…, cursor=…')
  }
}

/** The last value of the last of these names that was sent. */
const lastOf = (parameters: Parameters, names: readonly string[]): string | undefined => {
  const sent = names.findLast((name) => parameters.some(([parameter]) => parameter === name))
  return parameters.findLast(([parameter]) => parameter === sent)?.[1]
}

function parseSort(spec: Names, parts: readonly string[]): SortTerm[] {
  const terms = new Map<string, SortTerm>()
  for (const part of parts) {
    const descending = part.startsWith('-')
    const name = descending ? part.slice(1) : part
    const sort = Object.hasOwn(spec.sorts, name) ? spec.sorts[name] : undefined
    if (sort === undefined) throw errors.unknown_sort(`Unknown sort ${excerpt(name)}. ${allowed(spec.sorts)}`)
    if (!terms.has(name)) terms.set(name, { ...sort, name, descending })
  }
  const found = [...terms.values()]
  const id = found.findIndex((term) => term.column === 'id')
  if (id >= 0) return found.slice(0, id + 1)
  return [...found, { name: 'id', column: 'id', type: 'number', descending: false }]
}

function parseFilters(spec: Names, parameters: Parameters): Map<string, (string | number)[]> {
  const filters = new Map<string, Set<string | number>>()
  const wrong: Record<string, string[]> = {}
  for (const [parameter, text] of parameters) {
    if (parameter !== 'filter' && !parameter.startsWith('filter[')) continue
    // `filter[status]=…`, and `filter[status][]=…` for several.
    const found = /^filter\[([^[\]]*)\](?:\[\d*\])?$/.exec(parameter)?.[1]
    const name = found ?? parameter
    const filter = found !== undefined && Object.hasOwn(spec.filters, name) ? spec.filters[name] : undefined
    if (filter === undefined) throw errors.unknown_filter(`Unknown filter ${excerpt(name)}. ${allowed(spec.filters)}`)
    for (const part of filter.literalCommas ? [text.trim()].filter((value) => value !== '') : split(text)) {
      const value = filter.parse(part)
      if (value === undefined) wrong[parameter] = [`The ${parameter} parameter must be ${filter.expects}.`]
      else filters.set(name, (filters.get(name) ?? new Set()).add(value))
    }
    const { maxValues = Number.POSITIVE_INFINITY } = filter
    if ((filters.get(name)?.size ?? 0) > maxValues)
      wrong[parameter] = [`The ${parameter} parameter must not have more than ${maxValues} values.`]
  }
  if (Object.keys(wrong).length > 0) throw validationFailed(wrong)
  return new Map([...filters].map(([name, values]) => [name, [...values]]))
}

const parsePositive = (text: string | undefined, otherwise: number): number =>
  text !== undefined && /^\d+$/.test(text) && Number(text) >= 1 ? Math.min(Number(text), maxPage) : otherwise

/** Reads `include`, `sort`, `filter[…]`, `page`, `per_page` and `cursor`. A list ignores other parameters. */
export function parseListRequest(spec: Names, query: URLSearchParams, path = ''): ListRequest {
  const parameters = [...query]
  const sort = namesIn('sort', parameters)
  refuseOtherPages(parameters)
  return {
    path,
    includes: parseIncludes(spec.includes, parameters),
    sort: parseSort(spec, sort.length > 0 ? sort : split(spec.defaultSort)),
    filters: parseFilters(spec, parameters),
    page: parsePositive(lastOf(parameters, pageParameters.page), 1),
    perPage: Math.min(parsePositive(lastOf(parameters, pageParameters.perPage), defaultPerPage), maxPerPage),
    cursor: lastOf(parameters, pageParameters.cursor) || null,
  }
}

/** The same for an answer without pages, where a cursor would be ignored. */
export function parseUnpaged(spec: Names, query: URLSearchParams): ListRequest {
  const request = parseListRequest(spec, query)
  if (request.cursor !== null) throw errors.invalid_cursor()
  return request
}
