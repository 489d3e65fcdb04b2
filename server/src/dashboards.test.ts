import { readFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { createTestApp } from './testing/app.ts'

it.each(['deploy/prometheus/alerts.yml', 'deploy/grafana/gatehouse.json'])(
  '%s asks for metrics that exist',
  async (file) => {
    const t = await createTestApp(inject('postgresUrl'))
    const { text } = await t.call('GET //metrics')
    const known = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name))
    const asked = readFileSync(file, 'utf8').match(/\bgatehouse_\w+/g) ?? []
    const unknown = asked.filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|count|sum)$/, '')))
    expect(asked.length).toBeGreaterThan(5)
    expect(unknown).toEqual([])
  },
)
