import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { tokensCss } from './src/design/tokens.ts'

/** The design tokens as CSS variables, from the one place where MUI's theme has them, too. */
const tokens: Plugin = {
  name: 'gatehouse-tokens',
  resolveId: (id) => (id === 'virtual:tokens.css' ? '\0tokens.css' : null),
  load: (id) => (id === '\0tokens.css' ? tokensCss() : null),
}

/** While developing: the addresses that the server gives the pages (server/src/http/pages.ts). */
const addresses: Plugin = {
  name: 'gatehouse-addresses',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (
        /^\/(login|register|check-mail|verify-email|forgot-password|reset-password|add-factor|secure-account|accept-invitation)\b/.test(
          request.url ?? '',
        )
      ) {
        request.url = '/public.html'
      }
      next()
    })
  },
}

const api = 'http://127.0.0.1:8080'

/**
 * Two pages and the kit for plugins. Addresses are relative, so that the console also works below a path of its host.
 * For `vite` (npm run dev -w console) start the service beside it.
 */
export default defineConfig({
  base: './',
  plugins: [react(), tokens, addresses],
  server: { proxy: { '/api': api, '/avatars': api, '/plugins': api } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    emptyOutDir: false, // build.ts takes away what is old
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { admin: 'index.html', public: 'public.html', kit: 'src/kit.ts' },
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: ({ name }) => (name === 'kit' ? 'assets/kit.js' : 'assets/[name]-[hash].js'),
        // On its own, so that it stays in caches when our code changes.
        codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }] },
      },
    },
  },
})
