/**
 * Shows that the connection is lost, with the time of the last response. Renders nothing while the
 * connection works.
 */
import { useEffect, useState } from 'react';
import { silentSince } from './connection-lost.ts';

const lookEveryMs = 500;

export function LostConnection(props: { isFollowing: boolean; lastReadAtMs: number }) {
  const { isFollowing, lastReadAtMs } = props;
  const [nowMs, setNowMs] = useState(Date.now);
  const [watchedFromMs, setWatchedFromMs] = useState(Date.now);
  useEffect(() => {
    if (!isFollowing) return;
    const timer = setInterval(() => setNowMs(Date.now()), lookEveryMs);
    const onSeen = () => {
      if (document.visibilityState === 'visible') setWatchedFromMs(Date.now());
    };
    document.addEventListener('visibilitychange', onSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onSeen);
    };
  }, [isFollowing]);
  const since = silentSince({ isFollowing, lastReadAtMs, watchedFromMs, nowMs });
  return (
    <div role="alert">
      {since !== undefined && (
        <p className="lost">
          <b>Connection lost.</b>
          {' Nothing was heard from the service since '}
          <time dateTime={new Date(since).toISOString()}>{clock.format(since)}</time>
          {'. This page shows the state of that time, and keeps asking.'}
        </p>
      )}
    </div>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
