/**
 * A pin is a file beside a suite file that stores the tools of the suite's servers. The pin of
 * `shop.suite.yaml` is `shop.suite.yaml.surface.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import {
  differenceFromPin,
  isAltered,
  type ReadServerInPin,
  readSurfacePin,
  type ServerDifference,
  type ServerInPin,
  type ServerToPin,
  surfaceReport,
} from '@proofmark/domain';
import { plainSentence, surfaceSentences } from '@proofmark/report';
import { UsageProblem } from '../../remote/exit-codes.ts';
import type { SurfaceFinding } from '../../remote/surface-finding.ts';
import { sha256Hex } from '../test/record-files.ts';

export function pinFileOf(suiteFile: string): string {
  return `${suiteFile}.surface.json`;
}

/** Returns undefined if the suite has no pin. */
export function readPinOf(suiteFile: string): readonly ReadServerInPin[] | undefined {
  const file = pinFileOf(suiteFile);
  if (suiteFile === '-' || !existsSync(file)) return undefined;
  const servers = readSurfacePin(parsed(file));
  if (servers !== undefined) return servers;
  throw new UsageProblem(
    `${file} is not a pin of tools; write it again with \`proofmark surface pin ${suiteFile}\`.`,
  );
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Finds servers whose tools in the pin no longer match the stored hash, because someone edited them
 * by hand.
 */
export function alteredInPin(suiteFile: string, pinned: readonly ServerInPin[]): SurfaceFinding[] {
  const file = pinFileOf(suiteFile);
  return pinned
    .filter((server) => isAltered(server, sha256Hex))
    .map(({ name }) =>
      surfaceChanged(
        suiteFile,
        name,
        `${file} was altered: its tools do not match their hash. Restore it, or write it again with \`proofmark surface pin ${suiteFile}\`.`,
      ),
    );
}

export function changedSincePin(
  suiteFile: string,
  pinned: readonly ServerInPin[],
  listed: readonly ServerToPin[],
): SurfaceFinding[] {
  return differenceFromPin(pinned, listed).map((difference) =>
    surfaceChanged(
      suiteFile,
      difference.serverName ?? '',
      `${differenceWords(difference)} (pinned in ${pinFileOf(suiteFile)})`,
    ),
  );
}

const mostSentences = 5;

function differenceWords(difference: ServerDifference): string {
  if (difference.change === 'added') return 'The server is not in the pin.';
  if (difference.change === 'removed') return 'The server is in the pin, but not in the suite.';
  const { added, removed, renamed, changed } = surfaceReport([difference], []);
  const none = { added: 0, removed: 0, renamed: 0, changed: 0 };
  const sentences = surfaceSentences({ added, removed, renamed, changed, totals: none }).map(
    (sentence) => plainSentence(sentence, false),
  );
  if (sentences.length === 0) return 'The tools differ in fields that models do not see.';
  const omittedCount = sentences.length - mostSentences;
  const more = omittedCount > 0 ? ` ${omittedCount} more differences.` : '';
  return `${sentences.slice(0, mostSentences).join(' ')}${more}`;
}

function surfaceChanged(file: string, serverName: string, message: string): SurfaceFinding {
  return {
    rule: 'surface-changed',
    severity: 'error',
    serverName,
    file,
    message,
    reason:
      'A change of the tools that models see can change their behavior, so review it before you use it.',
    trials: [],
  };
}
