import { cleanText, count } from '@proofmark/domain';
import { ChangeList } from '../../../kit/changes/change-list.tsx';
import { jsonChanges } from '../../../kit/changes/json-changes.ts';
import type { RunComparison, RunDifferences } from '../data/run-comparison.ts';
import {
  comparedVocabulary,
  surfaceChangeWords,
  surfaceSentence,
  withHiddenSigns,
} from './compare-words.ts';

type Tools = RunDifferences['tools'];
type Part = Tools['servers'][number]['tools'][number]['parts'][number];

export function SurfaceChanges(props: { compared: RunComparison; tools: Tools }) {
  const { compared, tools } = props;
  const { base, compare, servers, total } = tools;
  const shown = servers.reduce((sum, server) => sum + server.tools.length, 0);
  const sides = [
    { run: compared.baseRun, side: base },
    { run: compared.compareRun, side: compare },
  ];
  return (
    <section aria-labelledby="tool-surface">
      <h2 id="tool-surface">Tools of the servers</h2>
      {sides.map(
        ({ run, side }) =>
          side.unsteadyServers.length > 0 && (
            <p key={run.id} className="warning">
              {`While run ${run.runNumber} went on, the tools of `}
              <bdi>{side.unsteadyServers.map((name) => cleanText(name, false)).join(', ')}</bdi>
              {' changed; the list that most trials saw is compared.'}
            </p>
          ),
      )}
      <SurfaceSentence compared={compared} tools={tools} />
      {servers.map((server) => (
        <ChangedServer key={`${server.change} ${server.serverId}`} server={server} />
      ))}
      {total > shown && (
        <p className="hint">{`${count(total, 'tool')} differ; the first ${shown} are shown.`}</p>
      )}
    </section>
  );
}

function SurfaceSentence(props: { compared: RunComparison; tools: Tools }) {
  const { base, compare, servers, total } = props.tools;
  const { baseRun, compareRun } = props.compared;
  const unknown = [
    ...(base.servers === 0 ? [`run ${baseRun.runNumber}`] : []),
    ...(compare.servers === 0 ? [`run ${compareRun.runNumber}`] : []),
  ];
  if (unknown.length > 0) {
    return (
      <p>{`Which tools were offered in ${unknown.join(' and ')} is not known: no list was kept.`}</p>
    );
  }
  if (servers.length === 0) {
    return (
      <p>{`The same in both runs: ${count(compare.tools, 'tool')} of ${count(compare.servers, 'server')}, word for word.`}</p>
    );
  }
  return <p>{surfaceSentence(total, servers.length)}</p>;
}

function ChangedServer({ server }: { server: Tools['servers'][number] }) {
  const { change, serverName, serverId, formerServerName, tools } = server;
  return (
    <>
      <h3>
        <bdi>{cleanText(serverName ?? serverId, false)}</bdi>{' '}
        {change === 'renamed' ? (
          <span className="tag">
            {'was '}
            <bdi>{cleanText(formerServerName ?? '', false)}</bdi>
          </span>
        ) : (
          change !== 'changed' && (
            <span className="tag">{`server ${surfaceChangeWords[change]}`}</span>
          )
        )}
      </h3>
      <ul className="changed-tools">
        {tools.map((tool, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a server may list a name twice.
          <li key={index} data-change={tool.change}>
            <h4>
              <code>{cleanText(tool.name, false)}</code>{' '}
              <span className="tag">{surfaceChangeWords[tool.change]}</span>
              {tool.formerName !== undefined && (
                <>
                  {' '}
                  <span className="hint">
                    {'was '}
                    <code>{cleanText(tool.formerName, false)}</code>
                  </span>
                </>
              )}
            </h4>
            {tool.parts.length > 0 && (
              <PartList label={`Changes of ${tool.name}`} parts={tool.parts} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

export function PartList(props: { label: string; parts: readonly Part[] }) {
  const changes = props.parts.flatMap(({ part, before, after }) =>
    jsonChanges(withHiddenSigns(before), withHiddenSigns(after), undefined, [part]),
  );
  return <ChangeList label={props.label} changes={changes} vocabulary={comparedVocabulary} />;
}
