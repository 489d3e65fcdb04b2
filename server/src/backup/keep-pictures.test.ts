import { expect, inject, it, onTestFinished } from 'vitest'
import { arePicturesKept } from '../db/installation.ts'
import { createTestApp } from '../testing/app.ts'
import { keepPictures } from './keep-pictures.ts'

it('pictures are kept until the last of overlapping backups has ended', async () => {
  const { ctx, clock } = await createTestApp(inject('postgresUrl'))
  const areKept = () => arePicturesKept(ctx.db, clock.now().getTime())
  expect(await areKept()).toBe(false)
  const endFirst = await keepPictures(ctx)
  const endSecond = await keepPictures(ctx)
  await endFirst()
  expect(await areKept()).toBe(true)
  await endSecond()
  expect(await areKept()).toBe(false)
})

it('pictures are kept for a minute after the last sign of life of a backup, and the next one removes its mark', async () => {
  const { ctx, clock } = await createTestApp(inject('postgresUrl'))
  const areKept = () => arePicturesKept(ctx.db, clock.now().getTime())
  const countRows = async () => (await ctx.unguarded.selectFrom('installation').select('name').execute()).length
  const before = await countRows()
  const endKilled = await keepPictures(ctx)
  onTestFinished(endKilled)
  clock.advance({ seconds: 59 })
  expect(await areKept()).toBe(true)
  clock.advance({ seconds: 2 })
  expect(await areKept()).toBe(false)
  clock.advance({ days: 2 })
  const endNext = await keepPictures(ctx)
  expect(await areKept()).toBe(true)
  await endNext()
  expect(await countRows()).toBe(before)
})
