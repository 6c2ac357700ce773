import { Confirm } from '../../kit/confirm.tsx';
import { useChange } from '../../kit/data/operations.ts';
import { notify } from '../../kit/notice.tsx';

export function DeleteModelProvider(props: {
  organizationId: string;
  name: string;
  onClose: () => void;
}) {
  const remove = useChange('deleteModelProvider', (providerName: string) => ({
    organizationId: props.organizationId,
    providerName,
  }));
  const { name } = props;
  const onSuccess = () => {
    notify(`Provider ${name} deleted.`);
    props.onClose();
  };
  return (
    <Confirm
      title={`Delete the provider ${name}?`}
      action="Delete provider"
      busy={remove.isPending}
      error={remove.error}
      onClose={props.onClose}
      onConfirm={() => remove.mutate(name, { onSuccess })}
    >
      <p>
        Its key is deleted. Suites that name its models cannot be launched; runs under way go on.
      </p>
    </Confirm>
  );
}
