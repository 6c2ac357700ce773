/**
 * Decides whether a call failed because the server wanted an undeclared ability of its client. The
 * server's request is rejected, or its error has a code of the protocol or a message of the
 * protocol libraries.
 */
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';

/** Returns the missing ability, for a call that ended in an error with this text. */
export function undeclaredCapability(connection: McpConnection, text: string): string | undefined {
  const [asked] = connection.lacked;
  if (asked !== undefined) return asked;
  const words = /client does not support (?:the )?(?:listing )?([a-z]+)(?: (elicitation))?/i.exec(
    text,
  );
  const named = words?.[1]?.toLowerCase();
  if (named === undefined) return undefined;
  const isUrl = named === 'url';
  if (/client does not support sampling tools/i.test(text)) return 'sampling with tools';
  const ability = words?.[2] === undefined ? named : 'elicitation';
  const declared = connection.initInfo.clientCapabilities[ability];
  if (isUrl) return 'elicitation by URL';
  return known.has(ability) && declared === undefined ? ability : undefined;
}

/** Returns the failure with the missing ability, if any. */
export function withMissingAbility(connection: McpConnection, error: unknown): unknown {
  if (!(error instanceof McpFailure)) return error;
  const { code, message, details } = error;
  if (details['missingAbility'] !== undefined) return error;
  const byCode = codes.get(details['mcpErrorCode'] as number);
  const isAnswer = details['mcpErrorCode'] !== undefined;
  const ability = byCode ?? (isAnswer ? undeclaredCapability(connection, message) : undefined);
  return ability === undefined
    ? error
    : new McpFailure(code, message, { ...details, missingAbility: ability });
}

const known: ReadonlySet<string> = new Set(['sampling', 'elicitation', 'roots', 'tasks']);
const codes: ReadonlyMap<number, string> = new Map([
  [-32042, 'elicitation by URL'],
  [-32021, 'an ability of the client'],
]);
