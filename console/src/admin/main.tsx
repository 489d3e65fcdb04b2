import createCache from '@emotion/cache'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { api, unwrap } from '../api/client.ts'
import 'virtual:tokens.css'
import '../design/starting.css'
import { AdminApp } from './AdminApp.tsx'
import './admin.css'
import { loadPlugins } from './plugins.ts'
import { addPlugins } from './registry.ts'
import { loadSession } from './session.ts'
import { followTabs } from './sign-in-again.ts'

/** The server writes this answer's nonce into the page; only styles that carry it are taken (Content-Security-Policy). */
const nonce = document.querySelector('meta[property=csp-nonce]')?.getAttribute('content') ?? ''
const root = document.getElementById('root') as HTMLElement

async function start(): Promise<void> {
  const [, { data: meta }] = await Promise.all([loadSession(), unwrap(api.GET('/meta'))])
  const paths = (meta as { console_plugins?: string[] }).console_plugins ?? []
  followTabs()
  const { plugins, failed } = await loadPlugins(paths)
  addPlugins(plugins)
  // Before every other style, so that ours come later and win.
  const cache = createCache({ key: 'gh', nonce, prepend: true })
  createRoot(root).render(
    <StrictMode>
      <AdminApp cache={cache} failedPlugins={failed} />
    </StrictMode>,
  )
}

const retryMs = 5_000

function fail(error: Error): void {
  root.innerHTML =
    '<main class="failed" role="alert"><h1>The console cannot start</h1><p></p><button>Try again</button></main>'
  for (const paragraph of root.querySelectorAll('p')) paragraph.textContent = error.message
  for (const button of root.querySelectorAll('button')) button.onclick = () => location.reload()
  setTimeout(() => start().catch(fail), retryMs)
}
start().catch(fail)
