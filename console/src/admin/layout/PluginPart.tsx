import { type ComponentType, memo, Suspense } from 'react'
import { ErrorBoundary } from 'react-error-boundary'

/**
 * A part of a plugin outside of the page: a badge, a banner, an icon. One that fails is left out (React writes its error into
 * the browser's console), and everything else goes on.
 */
export const PluginPart = memo(({ part: Part }: { part: ComponentType | undefined }) =>
  Part === undefined ? null : (
    <ErrorBoundary fallback={null}>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </ErrorBoundary>
  ),
)
