/** The mark: a gate. Decorative wherever the name stands beside it. */
export const LogoMark = ({ size = 28 }: { size?: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" fill="#4a4fd8" />
    <path d="M8 25V15a8 8 0 0 1 16 0v10" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
    <path d="M13.2 25v-9.2M18.8 25v-9.2M8 20.4h16" fill="none" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
  </svg>
)
