import { type Call, named, type Route, type Static, Type } from '@gatehouse/plugin-kit'
import type { AnnouncementsHost } from './shape.ts'
import { askPage, donePage, errorPage } from './unsubscribe.page.ts'
import { getUserByToken, isSubscribed, setSubscribed } from './unsubscribe.service.ts'

const Subscription = named(
  'AnnouncementSubscription',
  Type.Object({
    subscribed: Type.Boolean({ description: 'Whether the caller gets announcements by mail.', examples: [false] }),
  }),
)
type Subscription = Static<typeof Subscription>

export const unsubscribeRoutes = (host: AnnouncementsHost): Route[] => [
  {
    method: 'GET',
    path: '/announcements/unsubscribe/{token}',
    operationId: 'showUnsubscribePage',
    summary: 'The page behind the link in mails',
    description: 'A page with a button. Opening it changes nothing.',
    access: 'public',
    answer: 'html',
    errorPage: errorPage(host),
    handle: async ({ params }) => {
      const user = await getUserByToken(host, params.token)
      return (await isSubscribed(host.db, user.id)) ? askPage(host, user.email) : donePage(host, user.email)
    },
  },
  {
    method: 'POST',
    path: '/announcements/unsubscribe/{token}',
    operationId: 'unsubscribeByLink',
    summary: 'Unsubscribe from announcements by mail',
    description:
      'Called by mail programs for one-click unsubscription (RFC 8058), and by the button of the page. The token is the credential.',
    access: 'public',
    takesForm: true,
    answer: 'html',
    errorPage: errorPage(host),
    handle: async ({ actor, params }) => {
      const user = await getUserByToken(host, params.token)
      await setSubscribed(host, actor, user.id, false)
      return donePage(host, user.email)
    },
  },
  {
    method: 'GET',
    path: '/announcements/subscription',
    operationId: 'getAnnouncementSubscription',
    summary: 'Whether the caller gets announcements by mail',
    access: 'authenticated',
    answer: Subscription,
    handle: async ({ actor }) => ({ subscribed: await isSubscribed(host.db, actor.userId as number) }),
  },
  {
    method: 'PUT',
    path: '/announcements/subscription',
    operationId: 'setAnnouncementSubscription',
    summary: 'Choose whether to get announcements by mail',
    access: 'authenticated',
    body: Subscription,
    answer: Subscription,
    handle: async ({ actor, body }: Call<Subscription>) => {
      const { subscribed } = body.accept()
      await setSubscribed(host, actor, actor.userId as number, subscribed)
      return { subscribed }
    },
  },
]
