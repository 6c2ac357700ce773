/**
 * Redirects users without a session to the sign-in page, which returns them to this page
 * afterwards.
 */
import { Navigate, Outlet, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { PasswordOffer, useConsoleSession } from '../features/accounts/index.ts';
import { NextStep } from '../features/home/index.ts';
import { QueryView } from '../kit/query-view.tsx';

export function SignedInOnly() {
  const session = useConsoleSession();
  return (
    <QueryView query={session}>
      {(data) =>
        data.signedIn ? (
          <>
            <PasswordOffer session={data} />
            <NextStep />
            <Outlet />
          </>
        ) : (
          <ToSignIn />
        )
      }
    </QueryView>
  );
}

function ToSignIn() {
  const router = useRouter();
  // Stored at the first render, because the address changes while the sign-in page loads.
  const [wanted] = useState(() => router.latestLocation.href);
  return <Navigate to="/sign-in" search={{ return: wanted }} replace />;
}
