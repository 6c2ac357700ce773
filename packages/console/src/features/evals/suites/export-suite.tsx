/** The suite as a file, as `proofmark suite export` writes it. */
import { useChange } from '../../../kit/data/operations.ts';
import { notify } from '../../../kit/notice.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import type { SuiteIds } from '../data/eval-suites.ts';

export function ExportSuite({ ids, name }: { ids: SuiteIds; name: string }) {
  const write = useChange('exportEvalSuite', (format: 'yaml' | 'json') => ({ ...ids, format }), {
    readAgain: [],
  });
  const save = () =>
    write.mutate('yaml', {
      onSuccess: ({ content, warnings }) => {
        saveFile(new Blob([content], { type: 'application/yaml' }), fileName(name));
        const [first] = warnings;
        if (first !== undefined) notify(first);
      },
      onError: ({ message }) => notify(message),
    });
  return (
    <button type="button" disabled={write.isPending} onClick={save}>
      Export
    </button>
  );
}

function fileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${plain.slice(0, 80) || 'suite'}.yaml`;
}
