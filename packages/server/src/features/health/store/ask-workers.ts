/**
 * Sends a question to every living worker and collects the answers over the database, because
 * workers listen on nothing else. The question is the name of the channel for the answers.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '../../../platform/database/connect.ts';
import type { Sql } from '../../../platform/database/database.ts';

export const workersAskedChannel = 'proofmark_workers_asked';
const answersPrefix = 'proofmark_answers_';
/** PostgreSQL accepts only notifications below 8,000 bytes. */
const longestAnswerBytes = 7900;

/** As many answers as workers, or as many as came in time. One that cannot be read counts, and is left out. */
export async function askWorkers(
  url: string,
  workers: number,
  withinMs: number,
): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  let heard = 0;
  const channel = `${answersPrefix}${randomBytes(8).toString('hex')}`;
  return connect(url, async (client) => {
    const whole = new Promise<void>((resolve) => {
      client.on('notification', ({ payload = '' }) => {
        heard += 1;
        const answer = readAnswer(payload);
        if (answer !== undefined) answers.push(answer);
        if (heard >= workers) resolve();
      });
    });
    await client.query(`listen ${channel}`);
    await client.query('select pg_notify($1, $2)', [workersAskedChannel, channel]);
    const late = new AbortController();
    const timer = wait(withinMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([whole, timer]);
    late.abort();
    return answers;
  });
}

/** Whoever may notify may answer, also with what is no JSON. */
function readAnswer(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/**
 * Anyone with the right to notify may ask, so the channel name is checked. An answer that is too
 * long is left out.
 */
export async function answerAsker(sql: Sql, channel: string, answer: unknown): Promise<void> {
  if (!/^proofmark_answers_[0-9a-f]{16}$/.test(channel)) return;
  const text = JSON.stringify(answer);
  if (Buffer.byteLength(text) > longestAnswerBytes) return;
  await sql`select pg_notify(${channel}, ${text})`;
}
