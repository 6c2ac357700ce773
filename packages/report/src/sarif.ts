/**
 * Writes findings as SARIF 2.1.0, which code hosts show beside the lines they are about. Every rule
 * is listed once. A finding is recognised in the next run by its identity, never by its line, so
 * that an edit above it does not make a new one of it.
 */
import { cleanText } from '@proofmark/domain';

export const sarifLevels = ['error', 'warning', 'note'] as const;

export interface SarifFinding {
  readonly rule: {
    readonly id: string;
    /** What a finding of this rule says in general, as a sentence. */
    readonly text: string;
  };
  readonly level: (typeof sarifLevels)[number];
  /** Lines of text; text of others in it may hold anything. */
  readonly message: readonly string[];
  /** The path of the file from the folder of the command; absent if the finding is in no file. */
  readonly file?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
  /** What it is about if that is not a line, such as a tool. */
  readonly logicalName?: string | undefined;
  /** What makes it the same finding in another run, beside its rule and file. */
  readonly identity: readonly string[];
}

export interface SarifOptions {
  readonly version: string;
  sha256Hex(text: string): string;
  /** Why some of what was asked for has no result. */
  readonly notExamined?: readonly string[] | undefined;
}

export function renderSarif(
  findings: readonly SarifFinding[],
  { version, sha256Hex, notExamined = [] }: SarifOptions,
): string {
  const rules = new Map(findings.map(({ rule }) => [rule.id, rule]));
  const seen = new Map<string, number>();
  const results = findings.map((finding) => {
    const { rule, file = '', identity } = finding;
    const hash = sha256Hex(JSON.stringify([rule.id, file, ...identity])).slice(0, 16);
    const nth = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, nth);
    return {
      ruleId: rule.id,
      level: finding.level,
      message: { text: messageText(finding.message) },
      locations: [locationOf(finding)],
      // This key is the one by which GitHub recognises a finding.
      partialFingerprints: { primaryLocationLineHash: `${hash}:${nth}` },
    };
  });
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Proofmark',
            version,
            rules: [...rules.values()].map(({ id, text }) => ({
              id,
              shortDescription: { text },
            })),
          },
        },
        invocations: [
          {
            executionSuccessful: notExamined.length === 0,
            ...(notExamined.length > 0 && {
              toolExecutionNotifications: notExamined.map((line) => ({
                level: 'error',
                message: { text: messageText([line]) },
              })),
            }),
          },
        ],
        results,
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function locationOf({ file, line, logicalName }: SarifFinding): object {
  return {
    ...(file !== undefined && {
      physicalLocation: {
        artifactLocation: { uri: uriOf(file) },
        ...(line !== undefined && { region: { startLine: line } }),
      },
    }),
    ...(logicalName !== undefined && {
      logicalLocations: [{ name: cleanText(logicalName, false) }],
    }),
  };
}

/** Returns a path as a relative reference; on Windows, paths have backslashes. */
function uriOf(file: string): string {
  const segments = file.toWellFormed().replaceAll('\\', '/').split('/');
  const encoded = segments.map(encodeURIComponent).join('/');
  return encoded.replace(/^(\.\/)+/, '');
}

/**
 * Returns the lines as one message. Readers of SARIF make links of `[text](address)`, so its
 * brackets are escaped, as the format asks for.
 */
function messageText(lines: readonly string[]): string {
  const text = lines.map((line) => cleanText(line, false)).join('\n');
  return text.includes('](') ? text.replaceAll(/[[\]\\]/g, '\\$&') : text;
}
