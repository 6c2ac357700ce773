/**
 * Imports a dropped or chosen suite file. The browser parses the file, shows problems with their
 * positions, and shows what the import would change before it starts.
 */
import { ApiError, readAllPages } from '@proofmark/client';
import { cleanText, count, largestSuiteFileBytes, type SuiteFile } from '@proofmark/domain';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type DragEvent, useId, useState } from 'react';
import { ChoiceRows } from '../../../kit/choice-rows.tsx';
import { allBelow } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { useChange } from '../../../kit/data/operations.ts';
import { notify } from '../../../kit/notice.tsx';
import { type SuiteFiles, useSuiteFiles } from '../data/suite-files.ts';
import { copyOfFile, importWords, type ReplacedSuite } from './import-words.ts';

interface Server {
  readonly id: string;
  readonly name: string;
}

interface ReadFile {
  readonly fileName: string;
  readonly text: string;
}

export function ImportFile(props: { projectId: string; servers: readonly Server[] }) {
  const id = useId();
  const [file, setFile] = useState<ReadFile>();
  const [problem, setProblem] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  const take = async (given: File | undefined) => {
    if (given === undefined) return;
    setFile(undefined);
    const isTooLarge = given.size > largestSuiteFileBytes;
    setProblem(isTooLarge ? 'The suite file is larger than 1 MiB; split it.' : undefined);
    if (!isTooLarge) setFile({ fileName: given.name, text: await given.text() });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <section aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>From a file</h2>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same by keys. */}
      <div
        className={isOver ? 'drop-file over' : 'drop-file'}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <label htmlFor={id}>Drop a suite file here (YAML or JSON), or choose one</label>
        <input
          id={id}
          type="file"
          accept=".yaml,.yml,.json"
          onChange={({ target }) => void take(target.files?.[0])}
        />
      </div>
      <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
      {file !== undefined && (
        <Preview key={file.text} {...props} file={file} onClose={() => setFile(undefined)} />
      )}
    </section>
  );
}

function Preview(props: {
  projectId: string;
  servers: readonly Server[];
  file: ReadFile;
  onClose: () => void;
}) {
  const { file, servers } = props;
  const files = useSuiteFiles();
  if (files.data === undefined) return <p className="hint">Reading it…</p>;
  const help = { servers: servers.slice(0, 1).map(({ name }) => name), model: firstModel };
  const read = files.data.parseSuiteFile(file.text, help);
  if ('findings' in read) {
    return <Findings fileName={file.fileName} messages={read.findings.map((one) => one.message)} />;
  }
  return <ReadyToImport {...props} read={read.file} write={files.data.writeSuiteFile} />;
}

const firstModel = 'proofmark/lexical-1';

function Findings({ fileName, messages }: { fileName: string; messages: readonly string[] }) {
  return (
    <div className="panel failure" role="alert">
      <p>{`${cleanText(fileName, false)} cannot be imported:`}</p>
      <ul>
        {messages.map((message) => (
          <li key={message}>
            <bdi>{cleanText(message, false)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ReadyToImport(props: {
  projectId: string;
  servers: readonly Server[];
  file: ReadFile;
  read: SuiteFile;
  write: SuiteFiles['writeSuiteFile'];
  onClose: () => void;
}) {
  const { projectId, servers, file, read } = props;
  const navigate = useNavigate();
  const imported = useChange(
    'importEvalSuite',
    { projectId },
    { readAgain: [allBelow('listEvalSuites', { projectId })] },
  );
  const named = (read.target.servers ?? []).map(({ name }) => name);
  const [bound, setBound] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(named.map((name) => [name, byName(servers, name)])),
  );
  const replaced = useSuiteOfFile(projectId, read.suite);
  const submit = (content: string) => {
    const given = Object.entries(bound).filter(([, id]) => id !== '');
    const model =
      read.mode === 'serverContract' ? {} : { model: read.defaults.model ?? firstModel };
    imported.mutate(
      { content, serverIds: Object.fromEntries(given), ...model },
      {
        onSuccess: ({ suiteId, name, replaced: isReplaced, warnings }) => {
          const more = warnings.length === 0 ? '' : ` ${count(warnings.length, 'warning')}.`;
          notify(`Suite ${name} ${isReplaced ? 'replaced' : 'imported'}.${more}`);
          void navigate({
            to: '/projects/$projectId/suites/$suiteId',
            params: { projectId, suiteId },
          });
        },
      },
    );
  };
  const copy = () => props.write(copyOfFile(read, Date.now().toString(36)), 'yaml');
  return (
    <div className="panel import-preview">
      <h3>
        <bdi>{cleanText(read.suite.name, false)}</bdi>
      </h3>
      <p className="hint">
        {replaced.data === undefined
          ? (replaced.error?.message ?? 'Looking whether it is there already…')
          : importWords(read, replaced.data)}
      </p>
      <ul className="plain-list">
        {read.cases.slice(0, shownCases).map(({ id, title }) => (
          <li key={id}>
            <bdi>{cleanText(title, false)}</bdi>
          </li>
        ))}
        {read.cases.length > shownCases && (
          <li className="hint">{`and ${count(read.cases.length - shownCases, 'more case')}`}</li>
        )}
      </ul>
      {named.length > 0 && (
        <>
          <p className="pane-title">Which saved server each name stands for</p>
          <ChoiceRows
            rows={named.map((name) => ({
              id: name,
              name: cleanText(name, false),
              chosen: bound[name] ?? '',
              options: [
                ['', 'as the file says'],
                ...servers.map((one) => [one.id, one.name] as const),
              ],
            }))}
            onChoose={(name, serverId) => setBound({ ...bound, [name]: serverId })}
          />
        </>
      )}
      <div role="alert">
        {imported.error !== null && (
          <Findings fileName={file.fileName} messages={messagesOf(imported.error)} />
        )}
      </div>
      <div className="actions">
        <button
          type="button"
          className="primary"
          disabled={imported.isPending || replaced.isPending}
          onClick={() => submit(file.text)}
        >
          {replaced.data ? 'Import and replace it' : 'Import'}
        </button>
        {replaced.data && (
          <button type="button" disabled={imported.isPending} onClick={() => submit(copy())}>
            Import as a copy
          </button>
        )}
        <button type="button" onClick={props.onClose}>
          Cancel
        </button>
      </div>
    </div>
  );
}

const shownCases = 10;

function byName(servers: readonly Server[], name: string): string {
  return servers.find((one) => one.name === name)?.id ?? '';
}

/** Returns the service's findings with their positions, or else the message of the error. */
function messagesOf(error: Error): string[] {
  const findings = error instanceof ApiError ? error.details['findings'] : undefined;
  const messages = (Array.isArray(findings) ? findings : []).flatMap((one) => {
    const { message } = Object(one) as { message?: unknown };
    return typeof message === 'string' ? [message] : [];
  });
  return messages.length > 0 ? messages : [error.message];
}

/**
 * Maximum number of suites with the file's name that are exported to find the one to replace. Only
 * an export contains the id that the suite has in its file.
 */
const mostRead = 10;

function useSuiteOfFile(projectId: string, { id, name }: SuiteFile['suite']) {
  return useQuery({
    queryKey: [...allBelow('listEvalSuites', { projectId }), 'of-file', id, name],
    queryFn: async ({ signal }): Promise<ReplacedSuite | null> => {
      const suites = await readAllPages((page) =>
        client.listEvalSuites({ projectId, ...page }, { signal }),
      );
      const fileIdOf = async (suiteId: string) => {
        const ids = { projectId, suiteId, format: 'json' as const };
        const { content } = await client.exportEvalSuite(ids, { signal });
        return (JSON.parse(content) as SuiteFile).suite.id;
      };
      let found = suites.find((one) => one.id === id);
      for (const one of suites.filter((other) => other.name === name).slice(0, mostRead)) {
        if (found === undefined && (await fileIdOf(one.id)) === id) found = one;
      }
      if (found === undefined) return null;
      const ids = { projectId, suiteId: found.id };
      const cases = await readAllPages((page) =>
        client.listEvalCases({ ...ids, ...page }, { signal }),
      );
      return { name: found.name, cases: cases.length };
    },
    gcTime: 0,
  });
}
