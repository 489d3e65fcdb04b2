import { createRoot } from 'react-dom/client'
import 'virtual:tokens.css'

createRoot(document.getElementById('root') as HTMLElement).render(<p>soon</p>)
