import './no-eval.ts';
import './kit/styles/tokens.css';
import './kit/styles/base.css';
import './kit/styles/layout.css';
import './kit/styles/forms.css';
import './kit/styles/tables.css';
import './kit/styles/dialogs.css';
import './kit/styles/sections.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { keepSignInToken } from './features/accounts/index.ts';
import { queryClient } from './kit/data/query-client.ts';
import { createConsoleRouter } from './main/router.tsx';

// Removes the sign-in token from the address before the router or any other code can read it.
keepSignInToken(window);

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createConsoleRouter()} />
    </QueryClientProvider>
  </StrictMode>,
);
