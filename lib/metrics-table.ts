import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Config } from './config.ts';

/** The DynamoDB table: one item per chain and day, and the checkpoints and coverage of each chain. */
export class MetricsTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string, { protect, table }: Pick<Config, 'protect' | 'table'>) {
    super(scope, id);
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'chain', type: AttributeType.STRING },
      sortKey: { name: 'date', type: AttributeType.STRING },
      billing: Billing.onDemand({
        maxReadRequestUnits: table.readUnits,
        maxWriteRequestUnits: table.writeUnits,
      }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: protect,
      removalPolicy: protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    new CfnOutput(this, 'TableName', { key: 'TableName', value: this.table.tableName });
  }
}
