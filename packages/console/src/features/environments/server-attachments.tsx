/**
 * The choice of the servers that the client uses. A deleted server stays visible, so that it can be
 * removed.
 */
import type { ProjectServer } from '@proofmark/contract';
import type { JsonDraft } from '../../kit/changes/json-draft.ts';
import { ChoiceRows } from '../../kit/choice-rows.tsx';
import { type Attachment, attachedIds, attachmentOf, withAttachment } from './client-draft.ts';

export function ServerAttachments(props: {
  draft: JsonDraft;
  servers: readonly ProjectServer[];
  problem: string | undefined;
  onChange: (draft: JsonDraft) => void;
}) {
  const { draft, servers } = props;
  const known = new Set(servers.map(({ id }) => id));
  const gone = attachedIds(draft).filter((id) => !known.has(id));
  const rows = [
    ...servers.map(({ id, name }) => ({ id, name })),
    ...gone.map((id) => ({ id, name: `${id} (no longer there)` })),
  ];
  return (
    <fieldset>
      <legend>Servers</legend>
      <p className="hint">
        A required server must be there for a run; an optional one is used while it is.
      </p>
      {props.problem !== undefined && <p className="problem">{props.problem}</p>}
      {rows.length === 0 && <p className="hint">This project has no servers yet.</p>}
      <ChoiceRows
        rows={rows.map((row) => ({ ...row, chosen: attachmentOf(draft, row.id), options }))}
        onChoose={(id, to) => props.onChange(withAttachment(draft, id, to as Attachment))}
      />
    </fieldset>
  );
}

const options = [
  ['none', 'not attached'],
  ['required', 'required'],
  ['optional', 'optional'],
] as const;
