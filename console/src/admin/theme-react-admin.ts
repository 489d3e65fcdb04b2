import type { ThemeOptions } from '@mui/material/styles'
import { type Palette, radius } from '../design/tokens.ts'

export const phone = '@media (max-width: 599.95px)'

/** How the components of react-admin look, beside those of MUI. */
export const reactAdminComponents = (colors: Palette): NonNullable<ThemeOptions['components']> =>
  ({
    RaList: {
      styleOverrides: {
        root: {
          '& .RaList-main': { minWidth: 0 },
          // A table that is wider than a phone scrolls by itself; the page never does.
          '& .RaList-content': { overflowX: 'auto' },
        },
      },
    },
    RaListToolbar: {
      styleOverrides: {
        root: {
          alignItems: 'center',
          // One row on a phone, too: the filters side by side, with the button that adds more at the end.
          [phone]: {
            backgroundColor: 'transparent',
            flexDirection: 'row',
            alignItems: 'flex-start',
            flexWrap: 'wrap',
            '& form': { flex: '1 1 160px', minWidth: 0, paddingBottom: 8 },
            '& .MuiToolbar-root': { flex: 'none', maxWidth: '100%', marginLeft: 'auto' },
            '& .filter-field': { flex: '1 1 120px', minWidth: 0 },
            '& .filter-field .MuiFormControl-root, & .filter-field .MuiAutocomplete-root': {
              width: '100%',
              minWidth: 0,
            },
          },
          '&:not(:has(button, a, input))': { display: 'none' },
        },
      },
    },
    RaTopToolbar: {
      styleOverrides: {
        root: {
          gap: 8,
          padding: '8px 0',
          minHeight: 50,
          alignItems: 'center',
          minWidth: 0,
          [phone]: { backgroundColor: 'transparent', padding: '4px 0', flexWrap: 'wrap' },
        },
      },
    },
    RaShow: { styleOverrides: { root: { '& .RaShow-card': { minWidth: 0 } } } },
    RaEdit: { styleOverrides: { root: { '& .RaEdit-card': { minWidth: 0 } } } },
    RaDataTable: { styleOverrides: { root: { '& .MuiTableSortLabel-root': { verticalAlign: 'baseline' } } } },
    RaToolbar: {
      styleOverrides: {
        root: {
          backgroundColor: 'transparent',
          borderTop: `1px solid ${colors.border}`,
          '&.RaToolbar-mobileToolbar': { backgroundColor: colors.surface },
        },
      },
    },
    RaBulkActionsToolbar: {
      styleOverrides: {
        root: {
          '& .RaBulkActionsToolbar-toolbar': {
            backgroundColor: colors.accentSoft,
            color: colors.text,
            borderRadius: radius,
          },
        },
      },
    },
    RaEmpty: { styleOverrides: { root: { '& .RaEmpty-message': { opacity: 1, color: colors.muted } } } },
  }) as NonNullable<ThemeOptions['components']>
