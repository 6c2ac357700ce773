// Checks the first bytes of a report before it is parsed, and decodes it. Reports are text in
// UTF-8; XML may declare another encoding with single-byte letters, for example ISO-8859-1.
import type { ReportFormat } from '@proofmark/domain';
import { ReportProblem, reportLimits } from './report.ts';

const formatNames: Record<ReportFormat, string> = {
  'junit-xml': 'JUnit XML',
  'jest-json': 'Jest JSON',
  'vitest-json': 'Vitest JSON',
};

const signatures: readonly { bytes: readonly number[]; problem: string }[] = [
  { bytes: [0x1f, 0x8b], problem: 'The file is compressed with gzip; send the report itself.' },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    problem: 'The file is a zip archive; send the report itself.',
  },
  {
    bytes: [0x28, 0xb5, 0x2f, 0xfd],
    problem: 'The file is compressed with zstd; send the report itself.',
  },
  { bytes: [0xff, 0xfe], problem: 'The file is text in UTF-16; save it as UTF-8.' },
  { bytes: [0xfe, 0xff], problem: 'The file is text in UTF-16; save it as UTF-8.' },
];

/** Checks only the size and the first bytes. */
export function checkFirstBytes(bytes: Uint8Array, format: ReportFormat): void {
  if (bytes.length > reportLimits.bytes) {
    const mebibytes = reportLimits.bytes / (1024 * 1024);
    throw new ReportProblem(`The file is larger than ${mebibytes} MiB; send the report in parts.`);
  }
  const signature = signatures.find((known) => known.bytes.every((byte, i) => bytes[i] === byte));
  if (signature) throw new ReportProblem(signature.problem);
  const start = bytes.subarray(0, 4096);
  if (start[0] === 0 || start[1] === 0) {
    throw new ReportProblem('The file is text in UTF-16 or UTF-32; save it as UTF-8.');
  }
  if (start.includes(0)) throw new ReportProblem('The file is binary data, not a test report.');

  const first = new TextDecoder().decode(start).trimStart()[0];
  const wanted = formatNames[format];
  if (first === undefined && bytes.length <= 4096) throw new ReportProblem('The file is empty.');
  const found =
    first === '<' ? 'XML' : first === '{' || first === '[' ? 'JSON' : 'neither XML nor JSON';
  const needed = format === 'junit-xml' ? 'XML' : 'JSON';
  if (first !== undefined && found !== needed) {
    throw new ReportProblem(`The file is ${found}, but the request says it is ${wanted}.`);
  }
}

export function* decodePieces(bytes: Uint8Array, pieceBytes: number): Generator<string> {
  const decoder = decoderFor(bytes);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ReportProblem(`The file is not valid ${decoder.encoding.toUpperCase()} text.`);
  }
}

function decoderFor(bytes: Uint8Array): InstanceType<typeof TextDecoder> {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]{1,40})["']/.exec(start)?.[1];
  // Some producers declare UTF-16 but save UTF-8. Since the declaration could be read byte by byte,
  // the text cannot be UTF-16.
  if (declared === undefined || /^utf-?16/i.test(declared)) return utf8();
  try {
    return new TextDecoder(declared, { fatal: true });
  } catch {
    throw new ReportProblem('The file declares an unknown text encoding; save it as UTF-8.');
  }
}

function utf8(): InstanceType<typeof TextDecoder> {
  return new TextDecoder('utf-8', { fatal: true });
}
