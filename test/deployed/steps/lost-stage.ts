import {
  APIGatewayClient,
  CreateStageCommand,
  GetDeploymentsCommand,
  GetStagesCommand,
} from '@aws-sdk/client-api-gateway';
import { outputOf, type Stack } from '../stack.ts';
import type { Trial } from './prepare.ts';

/**
 * Creates the API's stage again where an emulator lost it. LocalStack deletes a stage with the deployment that an update replaces, and does
 * not point it to the new one.
 */
export async function restoreLostStage({ report, target }: Trial, stack: Stack): Promise<void> {
  if (!target.isEmulator) return;
  const { hostname, pathname } = new URL(outputOf(stack, 'Url'));
  const [[restApiId], [stageName]] = [hostname.split('.'), pathname.split('/').filter(Boolean)];
  const client = new APIGatewayClient();
  const { item: stages = [] } = await client.send(new GetStagesCommand({ restApiId }));
  if (stages.some((stage) => stage.stageName === stageName)) return;
  const { items = [] } = await client.send(new GetDeploymentsCommand({ restApiId }));
  const newest = items.toSorted((a, b) => Number(b.createdDate) - Number(a.createdDate))[0];
  await client.send(new CreateStageCommand({ restApiId, stageName, deploymentId: newest?.id }));
  report.skip(
    'the update keeps the API reachable',
    'the emulator lost its stage, which the trial created again',
  );
}
