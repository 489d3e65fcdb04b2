import { alpha, type ThemeOptions } from '@mui/material/styles'
import { fontFamily, type Palette, palettes, radius } from '../design/tokens.ts'
import { phone, reactAdminComponents } from './theme-react-admin.ts'

const shadow = (mode: 'light' | 'dark') =>
  mode === 'light'
    ? '0 1px 2px rgb(16 16 30 / 6%), 0 8px 24px rgb(16 16 30 / 12%)'
    : '0 1px 2px rgb(0 0 0 / 50%), 0 8px 24px rgb(0 0 0 / 50%)'

/** What a finger hits is 44 px high and wide. */
export const finger = '@media (pointer: coarse)'

const largeInput = {
  '& > input': {
    width: 'max(100%, 44px)',
    height: 'max(100%, 44px)',
    top: 'min(0px, calc((100% - 44px) / 2))',
    left: 'min(0px, calc((100% - 44px) / 2))',
  },
} as const

const components = (colors: Palette, mode: 'light' | 'dark'): NonNullable<ThemeOptions['components']> => {
  const ring = { outline: `2px solid ${colors.focus}`, outlineOffset: 2 }
  const line = `1px solid ${colors.border}`
  return {
    MuiCssBaseline: {
      styleOverrides: {
        body: { fontSize: '0.875rem', WebkitFontSmoothing: 'antialiased', textWrap: 'pretty' },
        'a:focus-visible, [tabindex]:not(main):focus-visible': ring,
        // Names stand in links and in bold: a right-to-left name must not reverse the sentence around it.
        'a, strong, bdi': { unicodeBidi: 'isolate' },
        '::selection': { background: alpha(colors.accent, 0.25) },
        '@media (prefers-reduced-motion: reduce)': {
          '*, ::before, ::after': {
            animationDuration: '1ms !important',
            animationIterationCount: '1 !important',
            transitionDuration: '1ms !important',
          },
        },
        // Forced colours remove backgrounds. Elements that consist of one need a border or a system colour.
        '@media (forced-colors: active)': {
          '.MuiButton-contained, .MuiLinearProgress-root': { border: '1px solid' },
          '.MuiTabs-indicator, .MuiLinearProgress-bar': { forcedColorAdjust: 'none', backgroundColor: 'Highlight' },
          // The current option of a list whose focus stays in a field.
          '.MuiAutocomplete-option.Mui-focused, [role=option][aria-selected=true]:not(.MuiAutocomplete-option, .MuiMenuItem-root)':
            { outline: '2px solid Highlight', outlineOffset: -2 },
        },
      },
    },
    // In a switch, radio or check box, the focus is on an input inside.
    MuiButtonBase: {
      defaultProps: { disableRipple: true },
      styleOverrides: {
        root: {
          '&:focus-visible, &.Mui-focusVisible': ring,
          // It looks no larger. A switch, radio or check box has its input there.
          [finger]: {
            '&:not(:has(> input))::after': {
              content: '""',
              position: 'absolute',
              inset: 'min(0px, calc((100% - 44px) / 2))',
            },
          },
        },
      },
    },
    MuiButton: {
      defaultProps: { disableElevation: true, size: 'small' },
      styleOverrides: {
        root: {
          minHeight: 34,
          padding: '5px 12px',
          fontWeight: 550,
          whiteSpace: 'nowrap',
          [phone]: { whiteSpace: 'normal' },
        },
        contained: {
          variants: [{ props: { color: 'primary' }, style: { '&:hover': { backgroundColor: colors.accentHover } } }],
        },
        outlined: {
          color: colors.text,
          borderColor: colors.borderStrong,
          backgroundColor: colors.surface,
          '&:hover': { backgroundColor: colors.hover, borderColor: colors.borderStrong },
          variants: [{ props: { color: 'error' }, style: { color: colors.danger } }],
        },
        text: {
          variants: [
            {
              props: { color: 'primary' },
              style: { color: colors.text, '&:hover': { backgroundColor: colors.hover } },
            },
          ],
        },
        startIcon: { marginRight: 6 },
      },
    },
    MuiIconButton: {
      styleOverrides: { root: { borderRadius: radius, '&:hover': { backgroundColor: colors.hover } } },
    },
    MuiPaper: {
      defaultProps: { elevation: 0 },
      styleOverrides: {
        root: { backgroundImage: 'none' },
        elevation0: { border: line },
        elevation1: { border: line, boxShadow: 'none' },
      },
    },
    MuiCard: { styleOverrides: { root: { border: line, boxShadow: 'none' } } },
    MuiAppBar: { styleOverrides: { root: { border: 'none', boxShadow: 'none' } } },
    MuiDrawer: { styleOverrides: { paper: { border: 'none', borderRadius: 0 } } },
    MuiMenu: {
      defaultProps: { slotProps: { root: landmark } },
      styleOverrides: { paper: { border: line, boxShadow: shadow(mode), backgroundColor: colors.raised } },
    },
    MuiPopover: {
      defaultProps: { slotProps: { root: landmark } },
      styleOverrides: { paper: { border: line, boxShadow: shadow(mode), backgroundColor: colors.raised } },
    },
    MuiAutocomplete: {
      defaultProps: { size: 'small', slotProps: { popper: landmark as object } },
      styleOverrides: { paper: { border: line, boxShadow: shadow(mode), backgroundColor: colors.raised } },
    },
    MuiDialog: { styleOverrides: { paper: { border: line, boxShadow: shadow(mode), borderRadius: 12 } } },
    MuiDialogTitle: { styleOverrides: { root: { fontSize: '1.0625rem', fontWeight: 600, overflowWrap: 'anywhere' } } },
    MuiDialogContent: { styleOverrides: { root: { overflowWrap: 'anywhere' } } },
    MuiMenuItem: {
      styleOverrides: {
        root: { fontSize: '0.875rem', margin: '0 4px', borderRadius: 6, minHeight: 34, [finger]: { minHeight: 44 } },
      },
    },
    MuiListItemIcon: { styleOverrides: { root: { minWidth: 32, color: 'inherit' } } },
    MuiTooltip: {
      defaultProps: { enterDelay: 300, slotProps: { popper: { container: mainContent } } },
      styleOverrides: {
        tooltip: { fontSize: '0.75rem', backgroundColor: mode === 'light' ? '#1f1f28' : '#34343f', color: '#ffffff' },
      },
    },
    MuiFormControl: { defaultProps: { size: 'small', margin: 'dense' } },
    MuiTextField: { defaultProps: { size: 'small', margin: 'dense', variant: 'outlined' } },
    MuiFormHelperText: {
      styleOverrides: {
        // The text under a disabled field says why it is disabled, so it must be readable.
        root: {
          marginLeft: 2,
          overflowWrap: 'anywhere',
          '&:empty': { display: 'none' },
          '&.Mui-disabled': { color: colors.muted },
        },
      },
    },
    // Below 16 px a phone zooms in on the field.
    MuiInputBase: { styleOverrides: { root: { [finger]: { fontSize: '1rem' } } } },
    MuiOutlinedInput: {
      styleOverrides: {
        root: {
          backgroundColor: colors.surface,
          [finger]: { minHeight: 44 },
          '& .MuiOutlinedInput-notchedOutline': { borderColor: colors.field },
          '&:hover:not(.Mui-disabled):not(.Mui-error) .MuiOutlinedInput-notchedOutline': { borderColor: colors.muted },
        },
      },
    },
    MuiFormControlLabel: {
      styleOverrides: { root: { [finger]: { minHeight: 44 } }, label: { minWidth: 0, overflowWrap: 'anywhere' } },
    },
    MuiFilledInput: { defaultProps: { disableUnderline: true } },
    MuiInputLabel: { styleOverrides: { root: { color: colors.muted, '&.Mui-focused': { color: colors.accent } } } },
    MuiTableCell: {
      styleOverrides: {
        root: { borderBottom: line, padding: '10px 14px' },
        sizeSmall: { padding: '7px 14px' },
        head: { color: colors.muted, fontWeight: 550, fontSize: '0.8125rem', backgroundColor: colors.surface },
        paddingCheckbox: { padding: '0 0 0 8px', width: 40 },
      },
    },
    MuiTableRow: {
      styleOverrides: {
        root: {
          '&:last-child td': { borderBottom: 0 },
          '&.MuiTableRow-hover:hover': { backgroundColor: colors.hover },
          '&.Mui-selected, &.Mui-selected:hover': { backgroundColor: colors.accentSoft },
        },
      },
    },
    MuiTablePagination: { styleOverrides: { root: { border: 0, color: colors.muted } } },
    MuiChip: {
      defaultProps: { size: 'small' },
      styleOverrides: {
        root: { fontWeight: 500, borderRadius: 6, '&.MuiChip-sizeSmall': { height: 'auto', minHeight: 24 } },
        outlined: { borderColor: colors.borderStrong },
      },
    },
    MuiTabs: { styleOverrides: { root: { minHeight: 40 }, indicator: { height: 2 } } },
    MuiTab: {
      styleOverrides: {
        root: { minHeight: 40, padding: '8px 12px', minWidth: 0, fontWeight: 550, [finger]: { minHeight: 44 } },
      },
    },
    MuiAlert: {
      styleOverrides: {
        message: { minWidth: 0, overflowWrap: 'anywhere' },
        root: { border: '1px solid transparent', color: colors.text },
        standard: {
          '&.MuiAlert-colorError': { backgroundColor: colors.dangerSoft, borderColor: alpha(colors.danger, 0.3) },
          '&.MuiAlert-colorSuccess': { backgroundColor: colors.successSoft, borderColor: alpha(colors.success, 0.3) },
          '&.MuiAlert-colorWarning': { backgroundColor: colors.warningSoft, borderColor: alpha(colors.warning, 0.3) },
          '&.MuiAlert-colorInfo': { backgroundColor: colors.accentSoft, borderColor: alpha(colors.accent, 0.3) },
        },
      },
    },
    MuiLink: { styleOverrides: { root: { color: colors.accent, textUnderlineOffset: 3 } } },
    MuiSwitch: {
      defaultProps: { size: 'small' },
      styleOverrides: {
        root: { overflow: 'visible' }, // else the ring is cut
        switchBase: { '&.Mui-focusVisible': { outlineOffset: -1 } },
      },
    },
    MuiCheckbox: { defaultProps: { size: 'small' }, styleOverrides: { root: { [finger]: largeInput } } },
    MuiRadio: { defaultProps: { size: 'small' }, styleOverrides: { root: { [finger]: largeInput } } },
    ...reactAdminComponents(colors),
  } as NonNullable<ThemeOptions['components']>
}

/** Menus are drawn outside of the page’s own landmarks: they are one of their own. */
const landmark = { role: 'region', 'aria-label': 'Choices' } as const

/** Tooltips are drawn within a landmark, too. */
const mainContent = () => document.getElementById('main-content') ?? document.body

/** MUI's theme from our tokens. */
function createConsoleTheme(mode: 'light' | 'dark'): ThemeOptions {
  const colors = palettes[mode]
  return {
    palette: {
      mode,
      primary: { main: colors.accent, dark: colors.accentHover, contrastText: colors.onAccent },
      secondary: { main: colors.text, contrastText: colors.surface },
      error: { main: colors.danger, contrastText: mode === 'light' ? '#ffffff' : '#1c0b0c' },
      warning: { main: colors.warning },
      success: { main: colors.success },
      info: { main: colors.accent },
      text: { primary: colors.text, secondary: colors.muted },
      background: { default: colors.canvas, paper: colors.surface },
      divider: colors.border,
      action: { hover: colors.hover, selected: colors.accentSoft },
    },
    shape: { borderRadius: radius },
    typography: {
      fontFamily,
      fontSize: 14,
      h1: { fontSize: '1.25rem', fontWeight: 650, letterSpacing: '-0.01em' },
      h2: { fontSize: '1.0625rem', fontWeight: 600 },
      h3: { fontSize: '0.9375rem', fontWeight: 600 },
      h4: { fontSize: '1.5rem', fontWeight: 650, letterSpacing: '-0.02em' },
      h5: { fontSize: '1.125rem', fontWeight: 600 },
      h6: { fontSize: '1rem', fontWeight: 600 },
      body1: { fontSize: '0.875rem' },
      body2: { fontSize: '0.875rem' },
      caption: { fontSize: '0.8125rem', color: colors.muted },
      button: { textTransform: 'none', fontSize: '0.875rem' },
    },
    components: components(colors, mode),
    sidebar: { width: 232, closedWidth: 0 },
  } as ThemeOptions
}

export const lightTheme = createConsoleTheme('light')
export const darkTheme = createConsoleTheme('dark')
