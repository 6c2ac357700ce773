/** A suite file that is refused as a whole, and what findings look like. Nothing of it loads what parses YAML. */
import type { SuiteFile } from '@proofmark/domain';

export type SuiteFileCode =
  | 'SUITE_FILE_TOO_LARGE'
  | 'SUITE_FILE_EMPTY'
  | 'SUITE_FILE_YAML_INVALID'
  | 'SUITE_FILE_MULTIPLE_DOCUMENTS'
  | 'SUITE_FILE_INVALID';

export interface SuiteFileFinding {
  readonly path: string;
  readonly code: SuiteFileCode;
  readonly message: string;
}

/** Sorted by path, code and message. */
export type SuiteFileFindings = readonly [SuiteFileFinding, ...SuiteFileFinding[]];

export type ReadSuiteFile = { readonly file: SuiteFile } | { readonly findings: SuiteFileFindings };

/** A finding about the file as a whole. */
export function refused(
  code: SuiteFileCode,
  message: string,
): { readonly findings: SuiteFileFindings } {
  return { findings: [{ path: '', code, message: short(message) }] };
}

export function short(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}
