import type { MailTemplate } from '@gatehouse/plugin-kit'

/** An announcement by mail. `parsed_body` comes only from the sanitiser. */
export const published: MailTemplate = {
  subject: '{{ title }}',
  text: `{{ title }}

{{ body }}

To get no more announcements by mail: {{ unsubscribe_url }}`,
  html: `{{ parsed_body | raw }}
<p class="small"><a href="{{ unsubscribe_url }}">Get no more announcements by mail</a></p>`,
}
