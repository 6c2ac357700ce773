/**
 * Receives notifications of new work on a separate connection. Notifications only save time, since
 * claimers also poll. A lost or silent connection is therefore reopened without a log line.
 */
import pg from 'pg';
import { clientConfig } from '../../database/client-config.ts';
import { workChannel } from './leased-work.ts';

const betweenTriesMs = 1000;
const beatEveryMs = 10_000;
const longestAnswerMs = 5000;
const longestGoodbyeMs = 1000;

export function listenForWork(
  url: string,
  /** Called for every notification. The kind is undefined if notifications may have been missed. */
  onWork: (kind: string | undefined) => void,
  /** Callbacks for other notifications, by channel. Missed notifications are not repeated. */
  others: Readonly<Record<string, (payload: string) => void>> = {},
): { stop(): Promise<void> } {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let client: pg.Client | undefined;
  const open = async () => {
    const mine = new pg.Client({
      ...clientConfig(url, 'listen'),
      connectionTimeoutMillis: longestAnswerMs,
      query_timeout: longestAnswerMs,
    });
    client = mine;
    const again = () => {
      if (client !== mine) return;
      client = undefined;
      clearTimeout(timer);
      // The end of the connection is not awaited, since the promise may never settle.
      mine.end().catch(() => undefined);
      if (!isOver) timer = setTimeout(() => void open(), betweenTriesMs);
    };
    const beat = () => {
      timer = setTimeout(() => void mine.query('select').then(beat, again), beatEveryMs);
    };
    mine.on('error', again);
    mine.on('end', again);
    mine.on('notification', ({ channel, payload = '' }) => {
      if (channel === workChannel) onWork(payload);
      else others[channel]?.(payload);
    });
    try {
      await mine.connect();
      for (const channel of [workChannel, ...Object.keys(others)])
        await mine.query(`listen ${channel}`);
    } catch {
      return again();
    }
    if (isOver) return again();
    onWork(undefined);
    beat();
  };
  const opened = open();
  return {
    async stop() {
      isOver = true;
      clearTimeout(timer);
      await opened;
      const last = client;
      client = undefined;
      clearTimeout(timer);
      // The server may neither answer nor close the connection, so the wait is limited.
      const timeout = setTimeout(() => last?.connection.stream.destroy(), longestGoodbyeMs);
      await last?.end().catch(() => undefined);
      clearTimeout(timeout);
    },
  };
}
