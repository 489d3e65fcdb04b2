import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstOf, itLong } from '../server/src/testing/long-form.ts'
import { expectAccessible, openSite, type Site } from './testing/site.ts'
import { createRole, inDialog, noticeOf, press, rowOf } from './testing/steps.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

async function grantsOf(id: number): Promise<string[]> {
  const { data } = await site.api.GET('/roles/{id}/permissions', { params: { path: { id } } })
  return (data?.data ?? []).map(({ name }) => name)
}

describe('roles', () => {
  it('are created, given permissions, renamed and deleted, with errors at their field', async () => {
    await createRole(site, 'Taken')
    const page = await site.openAsAdmin('/#/roles', { refused: [422] })
    await rowOf(page, 'Administrator').getByText('Built in').waitFor()
    await page.getByRole('link', { name: 'New role' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('taken')
    await press(page, 'Create the role')
    await page.getByText('The name has already been taken.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Support')
    await press(page, 'Create the role')

    await page.getByRole('checkbox', { name: 'Manage users' }).check()
    await page.getByRole('checkbox', { name: 'View activity' }).check()
    await press(page, 'Save permissions')
    await noticeOf(page, 'The permissions of Support were saved.')
    const id = Number(/roles\/(\d+)/.exec(page.url())?.[1])
    expect(await grantsOf(id)).toEqual(['users.manage', 'users.activity'])
    await expectAccessible(page)

    await page.getByLabel('Title').fill('Support team')
    await press(page, 'Save details')
    await noticeOf(page, 'The details were saved.')
    await site.createUser([], { role_id: id })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('The one user who has it gets the role User instead.').waitFor()
    await press(page, 'Delete')
    await inDialog(page, 'Delete')
    await noticeOf(page, 'Support team was deleted.')
    await page.getByRole('link', { name: 'Administrator' }).waitFor()
    await expect.poll(() => rowOf(page, 'Support team').count()).toBe(0)
  })

  it('cannot be deleted or renamed where they are built in, and the administrator holds everything', async () => {
    const page = await site.openAsAdmin('/#/roles/1')
    const boxes = page.getByRole('group', { name: 'Permissions of Administrator' }).getByRole('checkbox')
    await boxes.first().waitFor()
    for (const box of await boxes.all()) {
      expect([await box.isChecked(), await box.isDisabled()]).toEqual([true, true])
    }
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).isDisabled()).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  })

  it('can be read only by whoever manages users', async () => {
    const as = await site.createUser(['users.manage'])
    const page = await site.open('/#/roles', { as })
    await rowOf(page, 'Administrator').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'New role' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('link', { name: 'Permissions' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('link', { name: 'Administrator' }).count()).toBe(0)
  })
})

describe('what another administrator changed meanwhile stays', () => {
  it.each(
    firstOf<[name: string, role: string, path: (id: number) => string, prefix: string, button: string]>([
      ['on the page of a role', 'Day shift', (id) => `/#/roles/${id}`, '', 'Save permissions'],
      ['in the matrix', 'Night shift', () => '/#/permissions', 'Night shift: ', 'Save changes'],
    ]),
  )('%s', async (_name, role, path, prefix, button) => {
    const id = await createRole(site, role, ['users.manage', 'roles.manage'])
    const page = await site.openAsAdmin(path(id), { isLive: false })
    const box = (name: string) => page.getByRole('checkbox', { name: prefix + name, exact: true })
    await box('View activity').check()
    await box('Manage users').uncheck()
    await site.api.PUT('/roles/{id}/permissions', {
      params: { path: { id } },
      body: { permissions: ['users.manage', 'users.activity', 'deliveries.view'] },
    })
    await press(page, button)
    await noticeOf(page, /^The permissions .*were saved\.$/)
    expect(await grantsOf(id)).toEqual(['users.activity', 'deliveries.view'])
    await expect.poll(() => box('View deliveries').isChecked()).toBe(true)
    await site.api.DELETE('/roles/{id}', { params: { path: { id } } })
  })
})

describe('a permission that another administrator deletes is no longer among the changes', () => {
  it.each(
    firstOf<[name: string, role: string, path: (id: number) => string, prefix: string, button: string]>([
      ['on the page of a role', 'Early shift', (id) => `/#/roles/${id}`, '', 'Save permissions'],
      ['in the matrix', 'Late shift', () => '/#/permissions', 'Late shift: ', 'Save changes'],
    ]),
  )('%s', async (_name, role, path, prefix, button) => {
    const id = await createRole(site, role)
    const own = (await site.api.POST('/permissions', { body: { name: 'reports.read' } })).data?.data.id as number
    const page = await site.openAsAdmin(path(id))
    const box = (name: string) => page.getByRole('checkbox', { name: prefix + name, exact: true })
    await box('reports.read').check()
    await box('View activity').check()
    await site.api.DELETE('/permissions/{id}', { params: { path: { id: own } } })
    // Count by part of the name: until the list of permissions is loaded again, the box is only renamed, to say why it is disabled.
    await expect.poll(() => page.getByRole('checkbox', { name: /reports\.read/ }).count()).toBe(0)
    await press(page, button)
    await noticeOf(page, /^The permissions .*were saved\.$/)
    expect(await grantsOf(id)).toEqual(['users.activity'])
    await page.getByRole('link', { name: 'Activity', exact: true }).first().click() // nothing is asked
    await page.waitForURL(`${site.url}/#/activity`)
    await site.api.DELETE('/roles/{id}', { params: { path: { id } } })
  })
})

describe('the matrix of permissions', () => {
  it('saves the changes of several roles, and only when told to', async () => {
    const [editor, reader] = [await createRole(site, 'Editor'), await createRole(site, 'Reader', ['users.activity'])]
    const page = await site.openAsAdmin('/#/permissions')
    const give = page.getByRole('checkbox', { name: 'Editor: View deliveries' })
    const take = page.getByRole('checkbox', { name: 'Reader: View activity' })
    await give.check()
    await take.uncheck()
    await page.getByText('Changes to Editor and Reader are not saved yet.').waitFor()
    await take.check()
    await page.getByText('Changes to Editor are not saved yet.').waitFor()
    expect(await grantsOf(editor)).toEqual([])
    await take.uncheck()
    await press(page, 'Save changes')
    await noticeOf(page, 'The permissions were saved.')
    expect(await grantsOf(editor)).toEqual(['deliveries.view'])
    expect(await grantsOf(reader)).toEqual([])
    await expectAccessible(page)
  })

  itLong('gives up the changes of a role that somebody has deleted meanwhile, and says so', async () => {
    const id = await createRole(site, 'Short-lived')
    const page = await site.openAsAdmin('/#/permissions', { refused: [404], isLive: false })
    await page.getByRole('checkbox', { name: 'Short-lived: View deliveries' }).check()
    await site.api.DELETE('/roles/{id}', { params: { path: { id } } })
    await press(page, 'Save changes')
    await page.getByText(/^Short-lived: /).waitFor()
    await expect.poll(() => page.getByText('are not saved yet').count()).toBe(0)
    await page.getByRole('link', { name: 'Activity', exact: true }).first().click() // nothing is asked
    await page.waitForURL(`${site.url}/#/activity`)
  })

  it('lets nobody give what they lack, or change a role above them, and says why', async () => {
    await createRole(site, 'Helper')
    const as = await site.createUser(['roles.manage', 'users.activity'])
    const page = await site.open('/#/permissions', { as })
    await page.getByRole('checkbox', { name: 'Helper: View activity', exact: true }).check()
    const lacked = page.getByRole('checkbox', {
      name: 'Helper: Manage users. You lack this permission yourself, so you cannot give it.',
    })
    await expect.poll(() => lacked.isDisabled()).toBe(true)
    const above = page.getByRole('checkbox', {
      name: /^Editor: View activity\. This role holds a permission that you lack/,
    })
    await expect.poll(() => above.isDisabled()).toBe(true)
    await expect.poll(() => page.getByRole('link', { name: 'New permission' }).count()).toBe(0)
    await press(page, 'Save changes')
    await noticeOf(page, 'The permissions were saved.')
  })

  it('shows on a phone what Tab and Shift+Tab reach', async () => {
    for (const name of ['First reader', 'Second reader', 'Third reader']) await createRole(site, name)
    const page = await site.openAsAdmin('/#/permissions', { width: 360, height: 640 })
    const all = page.getByRole('row', { name: 'View deliveries' }).getByRole('checkbox')
    const boxes = all.and(page.getByRole('checkbox', { disabled: false }))
    await expect.poll(async () => (await all.count()) - (await boxes.count())).toBe(1) // the administrator's
    await boxes.last().focus()
    for (const key of ['Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Tab']) {
      await page.keyboard.press(key)
      const left = (await page.locator('input:focus').boundingBox())?.x
      const column = await page.getByRole('columnheader', { name: 'Permission', exact: true }).boundingBox()
      expect(left).toBeGreaterThanOrEqual((column?.x ?? 0) + (column?.width ?? 0))
    }
  })

  it('has permissions of our own, which come and go; built-in ones stay', async () => {
    const page = await site.openAsAdmin('/#/permissions', { width: 360 })
    await page.getByRole('link', { name: 'New permission' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('no spaces')
    await press(page, 'Create the permission')
    await page.getByText('Letters, digits, dot, colon, hyphen and underscore only').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('invoices.read')
    await press(page, 'Create the permission')
    await page.getByRole('checkbox', { name: 'User: invoices.read', exact: true }).waitFor()
    await page.getByRole('link', { name: 'invoices.read' }).click()
    await press(page, 'Delete')
    await inDialog(page, 'Delete')
    await noticeOf(page, 'invoices.read was deleted.')
    await page.getByRole('link', { name: 'Manage users' }).click()
    await page.getByText('This permission is built in').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  })
})

it('the role of people who register gets administrator permissions after a question only, on every page', async () => {
  const everybody = await createRole(site, 'Newcomer', ['users.manage'])
  const page = await site.openAsAdmin('/#/roles/2', { refused: [422] })
  const before = await grantsOf(2)
  const question = page.getByRole('dialog', { name: 'Give this to everybody who registers?' })
  const ask = async (button: string) => {
    await press(page, button)
    await question
      .getByText('Everybody who registers gets this role, and with it users.manage.', { exact: true })
      .waitFor()
  }
  const box = page.getByRole('checkbox', { name: 'Manage users' })
  await box.check()
  await ask('Save permissions')
  await expectAccessible(page)
  await inDialog(page, 'Cancel')
  await question.waitFor({ state: 'hidden' })
  expect([await box.isChecked(), await page.getByRole('alert').count()]).toEqual([true, 0])
  expect(await grantsOf(2)).toEqual(before)
  await ask('Save permissions')
  await inDialog(page, 'Give it to everybody')
  await noticeOf(page, 'The permissions of User were saved.')
  expect(await grantsOf(2)).toContain('users.manage')
  await site.api.PUT('/roles/{id}/permissions', { params: { path: { id: 2 } }, body: { permissions: before } })

  await page.goto(`${site.url}/#/permissions`)
  await page.reload()
  await page.getByRole('checkbox', { name: 'User: Manage users', exact: true }).check()
  await ask('Save changes')
  await inDialog(page, 'Cancel')
  await page.getByText('Changes to User are not saved yet.').waitFor()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await ask('Save changes')
  await inDialog(page, 'Give it to everybody')
  await noticeOf(page, 'The permissions were saved.')
  await site.api.PUT('/roles/{id}/permissions', { params: { path: { id: 2 } }, body: { permissions: before } })

  await page.goto(`${site.url}/#/settings`)
  await page.getByLabel('Role of people who register').click()
  await page.getByRole('option', { name: 'Newcomer' }).click()
  await ask('Save changes')
  await inDialog(page, 'Cancel')
  await ask('Save changes')
  await inDialog(page, 'Give it to everybody')
  await noticeOf(page, 'Settings saved')
  const { data } = await site.api.GET('/settings')
  expect(data?.data['registration.default_role_id']).toBe(everybody)
  await site.api.PATCH('/settings', { body: { 'registration.default_role_id': 2 } as never })
})
