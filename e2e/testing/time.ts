import type { Page } from 'playwright-core'

/** Waits for what the page does after some seconds, while time passes quickly in it. It needs `page.clock.install()` before. */
export async function soon<T>(page: Page, happens: Promise<T>): Promise<T> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  const passTime = async () => {
    while (!isOver) await page.clock.fastForward(200)
  }
  const [result] = await Promise.all([happens.finally(end), passTime()])
  return result
}
