/**
 * The console half of a plugin imports only this module. In the browser it is `/assets/kit.js`: the console's own React,
 * react-admin and MUI. So a plugin looks like the rest of the console, and there is only one React on the page.
 */

import { type ComponentType, createContext, useContext } from 'react'
import { useDataProvider } from 'react-admin'

/** The permissions that are required to see something: any one of the named ones. Without any, every signed-in user sees it. */
export type Needs = string | readonly string[]

/** The headings of the side menu, in order. */
export type MenuGroup = 'overview' | 'people' | 'access' | 'system'

interface InMenu {
  readonly label: string
  readonly icon?: ComponentType
  /** The heading of the entry; default: `overview`. */
  readonly group?: MenuGroup
  /** Shown at the end of the entry: a count, for example. */
  readonly badge?: ComponentType
}

/** A resource of the API with its pages. `name` is its path below `/api`, and below `#/` in the console. */
export interface ConsoleResource extends InMenu {
  readonly name: string
  readonly list?: ComponentType
  readonly edit?: ComponentType
  readonly create?: ComponentType
  readonly show?: ComponentType
  readonly recordRepresentation?: string | ((record: Record<string, unknown>) => string)
  /** Who may read it, and who may write it. Buttons and pages that would lead to a 403 are not shown. */
  readonly permission: { readonly read: Needs; readonly write: Needs }
  /** Without an entry in the menu. */
  readonly hidden?: boolean
}

/** A page of its own, at `#{path}`. With a label it has an entry in the menu. */
export interface ConsolePage extends Partial<InMenu> {
  /** `/settings`; may have parameters: `/reports/:id`. */
  readonly path: string
  readonly component: ComponentType
  readonly permission?: Needs
}

/** What a plugin adds to the console. Every part is optional. */
export interface ConsolePlugin {
  /** The same as the id of the server half. */
  readonly id: string
  readonly resources?: readonly ConsoleResource[]
  readonly pages?: readonly ConsolePage[]
  /** Further menu entries that lead to existing pages. */
  readonly menu?: readonly (InMenu & { readonly to: string; readonly permission?: Needs })[]
  /**
   * Event → what somebody did, for the activity: `{ 'note.shared': 'shared a note of' }`. One about a user ends with “of” or
   * “for”: the user's name follows. An event without an entry is put into words by its name: “created a note”.
   */
  readonly events?: Readonly<Record<string, string>>
  /** Shown above every page. One that loads something first draws `BannerPending`, and asks `useBannerRoom`. */
  readonly banner?: ComponentType
  /** Shown in the bar at the top, beside the user menu. */
  readonly badge?: ComponentType
}

/** Declares the console half of a plugin; the default export of its module. */
export const defineConsolePlugin = (plugin: ConsolePlugin): ConsolePlugin => plugin

/** Provided by the console; plugins read it with {@link useMay}. */
export const MayContext = createContext<(needs: Needs) => boolean>(() => false)

/** Tells whether the signed-in user has a permission (any one of several): `const may = useMay('announcements.manage')`. */
export const useMay = (needs: Needs): boolean => useContext(MayContext)(needs)

/**
 * Calls the API: `await call('POST', '/announcements/read')`. Rejects with react-admin's HttpError, whose message can be shown,
 * or with an `AbortError` where the person called it off: `notify` and `ConfirmDialog` say nothing then.
 */
export type CallApi = <T = unknown>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options?: {
    readonly query?: Record<string, string | number>
    readonly body?: unknown
    readonly signal?: AbortSignal | undefined
  },
) => Promise<T>

/** The API for everything that is not a resource: `const call = useApi()`. */
export const useApi = (): CallApi => useDataProvider<{ call: CallApi } & ReturnType<typeof useDataProvider>>().call

export {
  Alert,
  AlertTitle,
  Autocomplete,
  Avatar,
  Badge,
  Box,
  Breadcrumbs,
  Button,
  Card,
  CardActionArea,
  CardActions,
  CardContent,
  CardHeader,
  Checkbox,
  Chip,
  CircularProgress,
  Collapse,
  Container,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  Divider,
  Drawer,
  Fade,
  FormControl,
  FormControlLabel,
  FormHelperText,
  FormLabel,
  Grid,
  IconButton,
  InputAdornment,
  InputLabel,
  LinearProgress,
  Link as MuiLink,
  List as MuiList,
  ListItem,
  ListItemAvatar,
  ListItemButton,
  ListItemIcon,
  ListItemText,
  Menu,
  MenuItem,
  Paper,
  Popover,
  Radio,
  RadioGroup,
  Select,
  Skeleton,
  Stack,
  Step,
  StepLabel,
  Stepper,
  Switch,
  Tab,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Tabs,
  TextField as MuiTextField,
  ToggleButton,
  ToggleButtonGroup,
  Tooltip,
  Typography,
  useMediaQuery,
} from '@mui/material'
export { styled, useTheme } from '@mui/material/styles'
export { createSvgIcon } from '@mui/material/utils'
export { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
export {
  type ComponentType,
  createContext,
  createElement,
  Fragment,
  forwardRef,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  startTransition,
  use,
  useCallback,
  useContext,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from 'react'
export { jsx, jsxs } from 'react/jsx-runtime'
export {
  AutocompleteInput,
  BooleanField,
  BooleanInput,
  BulkDeleteButton,
  BulkExportButton,
  CheckboxGroupInput,
  Confirm,
  Create,
  CreateButton,
  DataTable,
  DateField,
  DateInput,
  DeleteButton,
  Edit,
  EditButton,
  EmailField,
  ExportButton,
  email,
  FilterButton,
  FilterForm,
  FormDataConsumer,
  FunctionField,
  InfiniteList,
  Link,
  ListBase,
  ListButton,
  maxLength,
  maxValue,
  minLength,
  minValue,
  NumberField,
  NumberInput,
  Pagination,
  RadioButtonGroupInput,
  RecordContextProvider,
  ReferenceArrayInput,
  ReferenceField,
  ReferenceInput,
  ReferenceManyField,
  required,
  SaveButton,
  SearchInput,
  SelectField,
  SelectInput,
  Show,
  ShowButton,
  SimpleList,
  SimpleShowLayout,
  SortButton,
  TextField,
  TextInput,
  Title,
  Toolbar,
  TopToolbar,
  UrlField,
  useCreate,
  useCreateContext,
  useCreatePath,
  useDataProvider,
  useDelete,
  useDeleteMany,
  useEditContext,
  useGetIdentity,
  useGetList,
  useGetMany,
  useGetManyReference,
  useGetOne,
  useInput,
  useListContext,
  useNavigate,
  useNotify,
  useNotifyIsFormInvalid,
  useRecordContext,
  useRecordSelection,
  useRedirect,
  useRefresh,
  useResourceContext,
  useSaveContext,
  useShowContext,
  useStore,
  useUnselectAll,
  useUpdate,
  useUpdateMany,
  WithRecord,
} from 'react-admin'
export { useFormContext, useFormState, useWatch } from 'react-hook-form'
export { BannerPending, bannerWaitMs, useBannerRoom } from './banner.tsx'
export { ConfirmDialog } from './ConfirmDialog.tsx'
export { EmptyState } from './EmptyState.tsx'
export { Form, SimpleForm } from './Form.tsx'
export { useGoOn } from './go-on.ts'
export { useIsHere } from './here.ts'
export { LeaveQuestion } from './LeaveQuestion.tsx'
export { List, ListContent } from './List.tsx'
export { ChangingFilters, LiveFilters, useChangeFilters } from './LiveFilters.tsx'
export { LoadError } from './LoadError.tsx'
export { LockedWhileSent } from './LockedWhileSent.tsx'
export { useOnce } from './once.ts'
export { Pages } from './Pages.tsx'
export { useProblem } from './problem.ts'
export { SlowNotice } from './SlowNotice.tsx'
export { useIsSlow } from './slow.ts'
export { TypeToConfirm } from './TypeToConfirm.tsx'
