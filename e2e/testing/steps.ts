import type { Page, Request } from 'playwright-core'
import type { Site } from './site.ts'
import { codeAt } from './totp.ts'

export const password = 'a quiet harbour at dawn'

/** Creates a user with the default role; the id. */
export async function addUser(
  { api }: Pick<Site, 'api'>,
  email: string,
  fields: Record<string, unknown> = {},
): Promise<number> {
  const body = { email, password, password_confirmation: password, role_id: 2, ...fields }
  const { data, error } = await api.POST('/users', { body })
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data.data.id
}

/** The user as the API has it; undefined once deleted. */
export const getUser = async ({ api }: Pick<Site, 'api'>, id: number) =>
  (await api.GET('/users/{id}', { params: { path: { id } } })).data?.data

/** Creates a role with these permissions; the id. */
export async function createRole(
  { api }: Pick<Site, 'api'>,
  name: string,
  permissions: readonly string[] = [],
): Promise<number> {
  const id = (await api.POST('/roles', { body: { name } })).data?.data.id as number
  await api.PUT('/roles/{id}/permissions', { params: { path: { id } }, body: { permissions: [...permissions] } })
  return id
}

export async function publish({ api }: Pick<Site, 'api'>, title: string, body: string) {
  const { data, error } = await api.POST('/announcements', { body: { title, body } })
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data.data
}

export const rowOf = (page: Page, name: string | RegExp) => page.getByRole('row').filter({ hasText: name })
export const noticeOf = (page: Page, text: string | RegExp) =>
  page.getByRole('alert').filter({ hasText: text }).waitFor()
export const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
export const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** Types the code of an authenticator app, whose secret is on the page. */
export async function typeAppCode(page: Page, asShown = (code: string) => code): Promise<void> {
  const secret = ((await page.locator('code.key').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code').fill(asShown(codeAt(secret, Date.now() / 1000)))
}

/** Follows a link of the menu, also while a dialog is over it. */
export const follow = (page: Page, name: string) =>
  page.getByRole('link', { name, exact: true, includeHidden: true }).evaluate((link) => (link as HTMLElement).click())

/** Whether a request changes something: a preview, though a POST, does not. */
export const isChange = (request: Request): boolean => request.method() !== 'GET' && !request.url().endsWith('/preview')

/** Holds the next change with this method back until it is let go; that ends once the browser has the answer. */
export async function hold(page: Page, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'): Promise<() => Promise<void>> {
  const letGo = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let isHeld = false
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    if (!isChange(request) || request.method() !== method || isHeld) return route.continue()
    isHeld = true
    await letGo.promise
    const answer = async () => route.fulfill({ response: await route.fetch() })
    await answer().then(answered.resolve, answered.reject) // a late answer fails the test that waits, not the whole run
  })
  return () => {
    letGo.resolve()
    return answered.promise
  }
}

/** What the page asks before it is left; it is answered with “Cancel” unless said otherwise. */
export async function questionAt(
  page: Page,
  leave: () => Promise<unknown>,
  answer: 'accept' | 'dismiss' = 'dismiss',
): Promise<string> {
  const question = page.waitForEvent('dialog')
  const left = leave()
  const dialog = await question
  await dialog[answer]()
  await left
  return dialog.message()
}
