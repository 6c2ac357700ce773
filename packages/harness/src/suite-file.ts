import type { SuiteFile } from '@proofmark/domain';

export function suiteFile(id: string, changes: Partial<SuiteFile> = {}): SuiteFile {
  return {
    schemaVersion: '1',
    mode: 'agentWorkflow',
    reportingMode: 'standard',
    suite: { id, name: `Suite ${id}` },
    target: { servers: [{ name: 'Sample' }] },
    defaults: { model: 'proofmark/lexical-1', repetitions: 1, passThreshold: 1, validity: {} },
    cases: [
      {
        id: 'greets',
        title: 'Greets',
        steps: [{ id: 'ask', kind: 'prompt', prompt: 'Say hello' }],
        assertions: [{ type: 'finalAssistantMessageNonEmpty' }],
      },
    ],
    ...changes,
  } as SuiteFile;
}
