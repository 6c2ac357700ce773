/**
 * Writes the log as JSON lines to stderr. Secrets are redacted here, in a copy, so that the logged
 * values stay unchanged.
 */
import { maskUrl } from '@proofmark/domain';
import pino from 'pino';
import type { Log } from '../platform/http/http-options.ts';

export function createLog(
  level: string,
  sink: { write(line: string): void } = pino.destination(2),
): Log {
  const destination = { write: (line: string) => sink.write(scrub(line)) };
  return pino(
    {
      level,
      base: { service: 'proofmark' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    destination,
  );
}

const secretFields = [
  'authorization',
  'cookie',
  'password',
  'token',
  'key',
  'clientSecret',
  'headers',
  'url',
];

/**
 * Returns only the fields that help to find the fault. Errors of the database driver also contain
 * statements and their parameters, which are left out.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: scrub(error.message),
    ...(typeof code === 'string' && { code }),
    stack: scrub(error.stack ?? ''),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/**
 * Removes secrets from a text, because libraries put them anywhere in messages: keys, bearer
 * tokens, and passwords and other secret parts of URLs. Also removes control characters, which
 * could control a terminal.
 */
export function scrub(text: string): string {
  return text
    .replace(/[\u007f-\u009f\u2028\u2029]/g, ' ')
    .replace(/\bhttps?:\/\/[^\s"'<>\\]+/gi, (url) => maskUrl(url))
    .replace(/sk_[A-Za-z0-9]{8,}/g, 'sk_[redacted]')
    .replace(/\b(bearer|basic)\s+[^\s"',]+/gi, '$1 [redacted]')
    .replace(/(\/\/[^/\s:@"]*:)[^\s@"]+@/g, '$1[redacted]@')
    .replace(
      /\b((?:token|key|secret|code|password|\w+_token|\w+_secret)=)[^\s&"'\\]+/gi,
      '$1[redacted]',
    );
}
