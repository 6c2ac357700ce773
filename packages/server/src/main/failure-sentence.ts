import { scrub } from './log.ts';

export function failureSentence(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  const sentence = typeof code === 'string' ? sentences[code] : undefined;
  const message = error instanceof Error ? error.message : String(error);
  // Node's `AggregateError` of several failed connection attempts has an empty message.
  const details = message === '' ? code : message;
  return scrub(sentence === undefined ? message : `${sentence} (${details})`);
}

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The database does not answer at the address given; is it running?',
  CONNECT_TIMEOUT: 'The database did not answer in time; is the address right?',
  ENOTFOUND: 'The database host name cannot be resolved.',
  EACCES: 'This user may not open a file or port that the service needs.',
  '28P01': 'The database refused the user name or password.',
  '3D000': 'The database named in the URL does not exist.',
};
