import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Config } from './config.ts';
import { stageKey } from './stage-key.ts';

/** The DynamoDB table: one item per chain and day, and the checkpoints and coverage of each chain. */
export class MetricsTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, config: Pick<Config, 'protect' | 'table' | 'kmsKeyArn'>) {
    super(scope, id);
    const { protect, table } = config;
    const key = stageKey(this, 'Table', config);
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'chain', type: AttributeType.STRING },
      sortKey: { name: 'date', type: AttributeType.STRING },
      billing: Billing.onDemand({
        maxReadRequestUnits: table.readUnits,
        maxWriteRequestUnits: table.writeUnits,
      }),
      ...(key && { encryption: TableEncryptionV2.customerManagedKey(key) }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: protect,
      removalPolicy: protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    new CfnOutput(this, 'TableName', { key: 'TableName', value: this.table.tableName });
  }
}
