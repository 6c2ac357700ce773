import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function inTemporaryTree<Result>(
  files: Readonly<Record<string, string>>,
  check: (root: string) => Result,
): Result {
  const root = mkdtempSync(path.join(tmpdir(), 'proofmark-tree-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
    return check(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
