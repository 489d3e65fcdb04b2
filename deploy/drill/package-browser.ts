import { findChromium, launch } from '../../e2e/testing/chromium.ts'

// Signs in as the first administrator in a real browser, sets a picture, asks for a mail and finds it in the list of deliveries.
//
//   node deploy/drill/package-browser.ts http://127.0.0.1:8080 PASSWORD
//
// Needs the repository's packages (`npm ci`), which bring a browser. Fails if a step does not work, or any answer is an error.

const [url = '', password = ''] = process.argv.slice(2)
const browser = await launch(findChromium())
try {
  const page = await browser.newPage({ locale: 'en-GB' })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`)
  })

  await page.goto(`${url}/forgot-password`)
  await page.getByLabel('Email').fill('admin@localhost')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()

  await page.goto(`${url}/`)
  await page.getByLabel('Email or username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()

  await page.goto(`${url}/#/users/1`)
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 200 } })
  await page.getByRole('button', { name: 'Change the picture' }).click()
  const dialog = page.getByRole('dialog', { name: 'Profile picture' })
  await dialog.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture })
  await dialog.getByRole('button', { name: 'Save the picture' }).click()
  await page.getByText('The picture was saved.').waitFor()

  await page.goto(`${url}/#/deliveries`)
  await page.getByText('Reset your password').first().waitFor()
  if (errors.length > 0) throw new Error(errors.join(', '))
} finally {
  await browser.close()
}
