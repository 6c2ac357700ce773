/** The page behind a share link. Except for styles, it shares no code with the console. */
import './kit/styles/tokens.css';
import './kit/styles/base.css';
import './kit/styles/forms.css';
import './features/visit/visit.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import {
  openedAddress,
  ownSessions,
  readShareAddress,
  Visit,
  VisitPage,
  VisitStore,
  visitCalls,
} from './features/visit/index.ts';

const address = readShareAddress(window.location);
const visit = new Visit(
  new VisitStore({
    address,
    calls: visitCalls(
      (...request) => fetch(...request),
      window.location.origin,
      address.opens !== undefined && 'token' in address.opens ? address.opens.token : undefined,
    ),
    sessions: ownSessions(window.sessionStorage, window.localStorage),
    opened: (scenarioId) =>
      window.history.replaceState(null, '', openedAddress(address, scenarioId)),
    newId: () => Array.from(crypto.getRandomValues(new Uint8Array(16)), hex).join(''),
    now: () => Date.now(),
    later: (work, milliseconds) => setTimeout(work, milliseconds),
  }),
);
void visit.open();
// A pasted invitation changes only the fragment of the address, for which a browser does not reload
// the page.
window.addEventListener('hashchange', () => window.location.reload());

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <VisitPage visit={visit} />
  </StrictMode>,
);

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
