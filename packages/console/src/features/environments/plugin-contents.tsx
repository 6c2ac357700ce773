import type { ProjectServer, Skill } from '@proofmark/contract';
import { CheckList } from '../../kit/check-list.tsx';
import { Field } from '../../kit/field.tsx';

export interface PluginContentsDraft {
  readonly declaredVersion: string;
  readonly serverIds: readonly string[];
  readonly skillIds: readonly string[];
}

export function PluginContents(props: {
  draft: PluginContentsDraft;
  servers: readonly ProjectServer[];
  skills: readonly Skill[];
  problem: string | undefined;
  onChange: (draft: PluginContentsDraft) => void;
}) {
  const { draft, onChange } = props;
  return (
    <>
      <Field label="Version" hint="Your own name for it, for example 1.2.0. May be left empty.">
        {(control) => (
          <input
            {...control}
            autoComplete="off"
            className="short"
            value={draft.declaredVersion}
            onChange={(event) => onChange({ ...draft, declaredVersion: event.target.value })}
          />
        )}
      </Field>
      <CheckList
        legend="Servers"
        problem={props.problem}
        none="This project has no servers yet."
        options={props.servers.map(({ id, name }) => ({ id, name }))}
        chosen={draft.serverIds}
        onChange={(serverIds) => onChange({ ...draft, serverIds })}
      />
      <CheckList
        legend="Skills"
        none="This project has no skills yet."
        options={props.skills.map(({ id, name }) => ({ id, name }))}
        chosen={draft.skillIds}
        onChange={(skillIds) => onChange({ ...draft, skillIds })}
      />
    </>
  );
}

export function contentsBody({ declaredVersion, serverIds, skillIds }: PluginContentsDraft) {
  return {
    ...(declaredVersion.trim() !== '' && { declaredVersion: declaredVersion.trim() }),
    serverIds: [...serverIds],
    skillIds: [...skillIds],
  };
}

export function contentsProblem({ serverIds, skillIds }: PluginContentsDraft): string | undefined {
  return serverIds.length + skillIds.length === 0
    ? 'Choose at least one server or skill.'
    : undefined;
}
