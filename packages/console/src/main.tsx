import './no-eval.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/forms.css';
import './styles/tables.css';
import './styles/dialogs.css';
import './styles/sections.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './data/query-client.ts';
import { createConsoleRouter } from './router.tsx';
import { keepSignInToken } from './sign-in/sign-in-token.ts';

// The token leaves the address before the router or anything else reads it.
keepSignInToken(window);

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createConsoleRouter()} />
    </QueryClientProvider>
  </StrictMode>,
);
