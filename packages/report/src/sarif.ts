/**
 * Writes findings as SARIF 2.1.0, which code hosts show beside the lines. Every rule is listed
 * once. A finding is identified across runs by its `identity`, never by its line. So an edit above
 * the line does not create a new finding.
 */
import { cleanText } from '@proofmark/domain';

export const sarifLevels = ['error', 'warning', 'note'] as const;

export interface SarifFinding {
  readonly rule: {
    readonly id: string;
    readonly text: string;
  };
  readonly level: (typeof sarifLevels)[number];
  /** Lines of text. They may contain arbitrary text from outside. */
  readonly message: readonly string[];
  /**
   * The path of the file, relative to the working directory of the command; absent if the finding
   * is in no file.
   */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  /** The subject of the finding if it is not a line, such as a tool. */
  readonly logicalName?: string | undefined;
  /** Identifies the finding across runs, together with its rule and file. */
  readonly identity: readonly string[];
}

export interface SarifOptions {
  readonly version: string;
  sha256Hex(text: string): string;
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
      // GitHub identifies a finding by this key.
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

/** Returns a relative URI. Paths on Windows have backslashes, which a URI must not contain. */
function uriOf(file: string): string {
  const segments = file.toWellFormed().replaceAll('\\', '/').split('/');
  const encoded = segments.map(encodeURIComponent).join('/');
  return encoded.replace(/^(\.\/)+/, '');
}

/**
 * SARIF readers turn `[text](address)` into a link. So brackets are escaped as the format defines.
 */
function messageText(lines: readonly string[]): string {
  const text = lines.map((line) => cleanText(line, false)).join('\n');
  return text.includes('](') ? text.replaceAll(/[[\]\\]/g, '\\$&') : text;
}
