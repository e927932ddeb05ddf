import {
  DeleteParameterCommand,
  ParameterNotFound,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';

const client = new SSMClient();

/** Stores the URLs of a chain's nodes, as docs/operate/settings.md says. */
export async function putNodes(name: string, urls: readonly string[]): Promise<void> {
  await client.send(
    new PutParameterCommand({ Name: name, Type: 'SecureString', Value: urls.join('\n'), Overwrite: true }),
  );
}

export async function deleteNodes(name: string): Promise<void> {
  await client.send(new DeleteParameterCommand({ Name: name })).catch((error: unknown) => {
    if (!(error instanceof ParameterNotFound)) throw error;
  });
}
