/** Regions whose CloudFormation lacks AWS::Budgets::Budget, as cfn-lint's schemas know them. `.ci/run` lints without a budget. */
export const regionsWithoutBudgets: readonly string[] = [
  'af-south-1',
  ...['ap-east-1', 'ap-east-2', 'ap-northeast-3', 'ap-south-2'],
  ...['ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7'],
  ...['ca-west-1', 'eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-south-2'],
  ...['il-central-1', 'me-central-1', 'mx-central-1', 'us-gov-east-1', 'us-gov-west-1'],
];
