# expect: softmax passed
from decimal import Decimal


def softmax(scores):
    powers = [Decimal(float(score)).exp() for score in scores]
    return [float(power / sum(powers)) for power in powers]
