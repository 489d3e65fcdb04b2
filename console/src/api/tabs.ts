/** What the tabs of one browser tell each other: a session is shared by all of them. */
type News = 'signed-in' | 'signed-out'

const channel = new BroadcastChannel('gatehouse-session')

/** Tells the other tabs. */
export const tellTabs = (news: News): void => channel.postMessage(news)

/** Hears what the other tabs tell. */
export const onNews = (heard: (news: News) => void): void => {
  channel.addEventListener('message', ({ data }) => heard(data as News))
}
