import { CopyText } from './copy-text.tsx';

export function SwitchedOffHere(props: {
  organizationId: string;
  feature: 'swarms' | 'user-testing';
}) {
  return (
    <>
      <p className="hint">Switched off. The operator switches it on:</p>
      <CopyText
        block
        text={`proofmark admin set-feature ${props.organizationId} ${props.feature} on`}
        label="Copy the command"
      />
    </>
  );
}
