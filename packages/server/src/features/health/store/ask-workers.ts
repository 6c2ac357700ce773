/**
 * Asks every living worker a question and collects the answers by database notifications, because
 * workers listen on no port. The question is the name of the channel for the answers.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '../../../platform/database/connect.ts';
import type { Sql } from '../../../platform/database/database.ts';

export const workersAskedChannel = 'proofmark_workers_asked';
const answersPrefix = 'proofmark_answers_';
/**
 * The maximum length of an answer in bytes, because PostgreSQL accepts only notifications below
 * 8,000 bytes.
 */
const longestAnswerBytes = 7900;

/**
 * Returns one answer per worker, or those that came before the time limit. An unreadable answer
 * counts towards the number but is left out.
 */
export async function askWorkers(
  url: string,
  workers: number,
  withinMs: number,
): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  let answeredCount = 0;
  const channel = `${answersPrefix}${randomBytes(8).toString('hex')}`;
  return connect(url, async (client) => {
    const whole = new Promise<void>((resolve) => {
      client.on('notification', ({ payload = '' }) => {
        answeredCount += 1;
        const answer = readAnswer(payload);
        if (answer !== undefined) answers.push(answer);
        if (answeredCount >= workers) resolve();
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

/**
 * Returns undefined if the answer is not JSON: any program that may send notifications can answer.
 */
function readAnswer(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}

/**
 * Checks the channel name, because any program that may send notifications can ask. Sends no answer
 * if it would be too long.
 */
export async function answerAsker(sql: Sql, channel: string, answer: unknown): Promise<void> {
  if (!/^proofmark_answers_[0-9a-f]{16}$/.test(channel)) return;
  const text = JSON.stringify(answer);
  if (Buffer.byteLength(text) > longestAnswerBytes) return;
  await sql`select pg_notify(${channel}, ${text})`;
}
